import { unitsOf, wideBit } from '../finder/text-units.ts';

/** Bytes of texts that are kept, one for each unit where that is enough, else two. */
const mostBytes = 1 << 22;

/** Longer ones would drive out too many others. */
const longest = mostBytes >> 3;

/** Rows for texts: each may stand in one of two, of which the elder is written over. */
const rows = 8_192;

/** Numbers of a row: the fingerprint, the scope, where the text begins and how many units it has. */
const width = 4;

/**
 * Texts in which nothing was found, unit by unit in one ring: the eldest make room. They are no objects, so that nobody
 * has to collect them, and comparing one costs a tenth of a hash that nobody can make two texts have.
 */
export class HarmlessTexts {
  /** A row for each, in one line of the cache. */
  readonly #rows = new Float64Array(width * rows);
  readonly #ring = Buffer.allocUnsafeSlow(mostBytes);
  /** Bytes that have been written in all; a text is gone when the ring has been written over since. */
  #written = 0;

  /** What is known of a text by its fingerprint: that nothing was found in it, that it is known elsewhere, or nothing. */
  find(text: string, print: number, scope: number): 'harmless' | 'elsewhere' | undefined {
    const row = this.#rowOf(text, print, scope);
    const known = this.#rows;
    if (known[row] !== print || known[row + 3] !== text.length) return undefined;
    if (known[row + 1] === -scope) return 'elsewhere';
    const start = known[row + 2] as number;
    const age = this.#written - start;
    if (known[row + 1] !== scope || age > mostBytes || !this.#holds(text, start % mostBytes, print)) return undefined;
    if (age > mostBytes / 2) this.keep(text, print, scope);
    return 'harmless';
  }

  /** False where the text is too long. */
  keep(text: string, print: number, scope: number): boolean {
    const isWide = (print & wideBit) !== 0;
    const size = isWide ? 2 * text.length : text.length;
    if (size > longest) return false;
    const left = mostBytes - (this.#written % mostBytes);
    if (size > left) this.#written += left;
    this.#ring.write(text, this.#written % mostBytes, isWide ? 'utf16le' : 'latin1');
    this.#note(text, print, scope);
    this.#written += size;
    return true;
  }

  /** Whoever asks for the text shall look elsewhere. */
  noteElsewhere(text: string, print: number, scope: number): void {
    this.#note(text, print, -scope);
  }

  #note(text: string, print: number, scope: number): void {
    const row = this.#rowOf(text, print, Math.abs(scope));
    this.#rows[row] = print;
    this.#rows[row + 1] = scope;
    this.#rows[row + 2] = this.#written;
    this.#rows[row + 3] = text.length;
  }

  /** Where the text stands in a scope, or else the elder of the two rows that it may have. */
  #rowOf({ length }: string, print: number, scope: number): number {
    const known = this.#rows;
    const one = width * (((print >>> 1) ^ Math.imul(scope, 0x9e37_79b1)) & (rows - 1));
    const two = one ^ width;
    const isAt = (row: number): boolean =>
      known[row] === print && known[row + 3] === length && Math.abs(known[row + 1] as number) === scope;
    if (isAt(one)) return one;
    if (isAt(two)) return two;
    return (known[one + 2] as number) < (known[two + 2] as number) ? one : two;
  }

  #holds(text: string, start: number, print: number): boolean {
    const ring = this.#ring;
    const units = unitsOf(text);
    const { length } = text;
    let at = 0;
    if ((print & wideBit) === 0) {
      while (at < length && ring[start + at] === units[at]) at += 1;
    } else {
      while (
        at < length &&
        ((ring[start + 2 * at + 1] as number) << 8) + (ring[start + 2 * at] as number) === units[at]
      )
        at += 1;
    }
    return at === length;
  }
}

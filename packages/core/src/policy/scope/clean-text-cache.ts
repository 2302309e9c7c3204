import { unitsOf, wideBit } from '../views/text-units.ts';

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
 * has to collect them, and comparing one costs a tenth of a hash for which no two texts can be found.
 */
export class CleanTextCache {
  /** A row for each. They are far apart, so a row is only read where its mark says that it may be the one. */
  readonly #rows = new Float64Array(width * rows);
  /** By row: its mark, 0 where nothing was written; the lowest bit where it was written after the other one of the two. */
  readonly #marks = new Uint16Array(rows);
  readonly #ring = Buffer.allocUnsafeSlow(mostBytes);
  /** Bytes that have been written in all; a text is gone when the ring has been written over since. */
  #written = 0;

  /** What is known of a text by its fingerprint: that nothing was found in it, that it is known elsewhere, or nothing. */
  find(text: string, print: number, scope: number): 'harmless' | 'elsewhere' | undefined {
    const row = this.#findRow(text, print, scope);
    if (row === undefined) return undefined;
    const known = this.#rows;
    if (known[width * row + 1] === -scope) return 'elsewhere';
    const start = known[width * row + 2] as number;
    const age = this.#written - start;
    if (age > mostBytes || !this.#holds(text, start % mostBytes, print)) return undefined;
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

  /** The text is to be looked for elsewhere. */
  noteElsewhere(text: string, print: number, scope: number): void {
    this.#note(text, print, -scope);
  }

  /** Writes where the text stands, or else over the elder of the two rows that it may have. */
  #note(text: string, print: number, scope: number): void {
    const marks = this.#marks;
    const one = placeOf(print, Math.abs(scope));
    const elder = ((marks[one] as number) & 1) === 0 ? one : one ^ 1;
    const row = this.#findRow(text, print, Math.abs(scope)) ?? elder;
    marks[row] = markOf(print) | 1;
    marks[row ^ 1] = (marks[row ^ 1] as number) & ~1;
    this.#rows[width * row] = print;
    this.#rows[width * row + 1] = scope;
    this.#rows[width * row + 2] = this.#written;
    this.#rows[width * row + 3] = text.length;
  }

  /** Which of its two rows is that of the text, whether or not it is known. */
  #findRow({ length }: string, print: number, scope: number): number | undefined {
    const known = this.#rows;
    const mark = markOf(print);
    const one = placeOf(print, scope);
    for (let row = one, left = 2; left > 0; row ^= 1, left -= 1) {
      if (((this.#marks[row] as number) | 1) !== (mark | 1)) continue;
      const at = width * row;
      if (known[at] === print && known[at + 3] === length && Math.abs(known[at + 1] as number) === scope) return row;
    }
    return undefined;
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

/** The first of the two rows that a text may have. */
const placeOf = (print: number, scope: number): number => ((print >>> 1) ^ Math.imul(scope, 0x9e37_79b1)) & (rows - 1);

/** What stays of a fingerprint in a mark: other bits than tell the row. */
const markOf = (print: number): number => (print >>> 16) & ~1;

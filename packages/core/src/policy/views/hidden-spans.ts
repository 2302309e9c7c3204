const zeroWidthSpace = 0x200b;
const nonJoiner = 0x200c;
const joiner = 0x200d;
const blackFlag = 0xdff4;

/** Overriding the direction of a text makes it read otherwise than it stands. */
const overrides = new Set([0x202d, 0x202e]);
/** Joiners that have no use but in writing systems that need them, and characters that take no room. */
const zeroWidth = new Set([zeroWidthSpace, nonJoiner, joiner, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xfeff, 0x180e]);

/** So many of them between letters, in so many units, are no slip of an editor. */
const fewest = 4;
const within = 64;

const letter = /[\p{L}\p{N}]/u;
/** Scripts in which joiners and spaces without width are part of good spelling. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Mongolian}]/u;
const ideograph = /[\p{Script=Han}\p{Script=Mongolian}]/u;

/** Collects where a text holds characters that no reader sees and that spelling does not ask for. */
export class HiddenSpans {
  readonly spans: [number, number][] = [];
  readonly #text: string;
  /** Places of suspicious zero-width characters, the latest few. */
  readonly #recent: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** One invisible character. */
  single(at: number, unit: number): void {
    if (overrides.has(unit)) this.#add(at, at + 1);
    if (!zeroWidth.has(unit) || !this.#splitsWord(at)) return;
    this.#recent.push(at);
    if (this.#recent.length > fewest) this.#recent.shift();
    const first = this.#recent[0] ?? at;
    if (this.#recent.length === fewest && at - first <= within) this.#add(first, at + 1);
  }

  /** Tags and selectors in a row, which carry `length` characters. */
  run(start: number, end: number, length: number): void {
    const before = this.#text.charCodeAt(start - 1);
    const isTag = this.#text.charCodeAt(start) === 0xdb40 && this.#text.charCodeAt(start + 1) < 0xdc80;
    if (
      isTag ? before !== blackFlag : length > 1 || (end - start > 1 && !ideograph.test(this.#text.charAt(start - 1)))
    ) {
      this.#add(start, end);
    }
  }

  #splitsWord(at: number): boolean {
    const before = this.#text.charAt(at - 1);
    const after = this.#text.charAt(at + 1);
    return isPartOfWord(before) && isPartOfWord(after);
  }

  #add(start: number, end: number): void {
    const last = this.spans.at(-1);
    if (last !== undefined && start - last[1] <= within) last[1] = Math.max(last[1], end);
    else this.spans.push([start, end]);
  }
}

/** Something like it, or a letter of a script that has no use for joiners. */
const isPartOfWord = (char: string): boolean =>
  zeroWidth.has(char.charCodeAt(0)) || (letter.test(char) && !joining.test(char));

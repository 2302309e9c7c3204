/** What a text says without its long runs, and what those hold. */
export interface Unpacked {
  readonly text: string;
  readonly locate: (start: number, end: number) => readonly [start: number, end: number];
}

/** Parts that are taken out of a text, in their order, and where everything else stood. */
export class CutText {
  readonly #text: string;
  /** What stays, and where each part of it begins: in what stays, and in the text. */
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #offsets: number[] = [];
  #length = 0;
  /** Offset of the cut at hand, and where it ends. */
  #from = 0;
  #to = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the last cut ends. */
  get end(): number {
    return this.#to;
  }

  add(from: number, to: number): void {
    if (from >= to) return;
    if (from === this.#to && this.#to > 0) {
      this.#to = to;
      return;
    }
    this.#keep(from);
    this.#to = to;
  }

  /** What is left; undefined when nothing was cut. A line break stands where something was. */
  finish(): Unpacked | undefined {
    if (this.#to === 0) return undefined;
    this.#keep(this.#text.length);
    return { text: this.#parts.join(''), locate: (start, end) => [this.#place(start), this.#place(end - 1) + 1] };
  }

  #keep(to: number): void {
    if (this.#to > 0) this.#push('\n', this.#from);
    this.#push(this.#text.slice(this.#to, to), this.#to);
    this.#from = to;
  }

  #push(part: string, offset: number): void {
    this.#parts.push(part);
    this.#starts.push(this.#length);
    this.#offsets.push(offset);
    this.#length += part.length;
  }

  #place(at: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return (this.#offsets[low - 1] ?? 0) + at - (this.#starts[low - 1] ?? 0);
  }
}

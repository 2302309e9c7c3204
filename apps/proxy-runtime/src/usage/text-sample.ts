/**
 * The beginning of a text that comes in pieces, and how long all of it was: enough to estimate its tokens,
 * whatever its length.
 */
export class TextSample {
  readonly #maxCharacters: number;
  #text = '';
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Of everything that was added. */
  get characters(): number {
    return this.#characters;
  }

  get text(): string {
    return this.#text;
  }

  /** Characters added for each that was kept. */
  get share(): number {
    return this.#text.length === 0 ? 0 : this.#characters / this.#text.length;
  }

  add(text: string): void {
    this.#characters += text.length;
    const room = this.#maxCharacters - this.#text.length;
    if (room <= 0) return;
    const piece = text.length <= room ? text : text.slice(0, room);
    this.#text += piece;
  }
}

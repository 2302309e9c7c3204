/** A text that begins like this is taken for JSON source: what is put into it must keep it valid. */
const jsonStart = /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[{"]|$))/;

export const looksLikeJson = (start: string): boolean => jsonStart.test(start);

/** How much of a text's start `looksLikeJson` wants to see. */
export const jsonStartLength = 64;

/** Where in JSON source a reader stands, kept from piece to piece. */
export class JsonLexer {
  inString = false;
  /** An escape sequence has begun and goes on. */
  get inEscape(): boolean {
    return this.#escape > 0;
  }
  /** Units of the escape sequence so far. */
  #escape = 0;
  #isLong = false;

  read(unit: string): void {
    if (!this.inString) this.inString = unit === '"';
    else if (this.#escape > 0) {
      if (this.#escape === 1) this.#isLong = unit === 'u';
      this.#escape = this.#escape === (this.#isLong ? 5 : 1) ? 0 : this.#escape + 1;
    } else if (unit === '\\') this.#escape = 1;
    else if (unit === '"') this.inString = false;
  }

  readAll(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.read(text[at] as string);
  }

  copy(): JsonLexer {
    const copy = new JsonLexer();
    copy.inString = this.inString;
    copy.#escape = this.#escape;
    copy.#isLong = this.#isLong;
    return copy;
  }
}

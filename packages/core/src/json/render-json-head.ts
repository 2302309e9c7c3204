/** The beginning of a value as JSON writes it, a little more than `maxLength` characters at most; only so much of the value is read. */
export function renderJsonHead(value: unknown, maxLength: number): string {
  const head = new JsonHead(maxLength);
  head.write(value);
  return head.text;
}

class JsonHead {
  text = '';
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get #isFull(): boolean {
    return this.text.length >= this.#maxLength;
  }

  /** Every level writes a character before the next one, so that it is left before the stack is. */
  write(value: unknown): void {
    if (this.#isFull) return;
    if (typeof value === 'string') this.#writeText(value);
    else if (Array.isArray(value)) this.#writeList(value);
    else if (typeof value === 'object' && value !== null) this.#writeObject(value);
    else this.text += JSON.stringify(value) ?? 'null';
  }

  #writeText(text: string): void {
    this.text += JSON.stringify(text.slice(0, this.#maxLength - this.text.length));
  }

  #writeList(list: readonly unknown[]): void {
    this.text += '[';
    for (const [index, item] of list.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.text += ',';
      this.write(item);
    }
    this.text += ']';
  }

  #writeObject(object: object): void {
    this.text += '{';
    let isFirst = true;
    for (const [key, value] of Object.entries(object)) {
      if (this.#isFull) return;
      if (!isFirst) this.text += ',';
      isFirst = false;
      this.#writeText(key);
      this.text += ':';
      this.write(value);
    }
    this.text += '}';
  }
}

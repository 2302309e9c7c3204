import { alwaysWithinBounds } from '@portcullis/core/json/json-bounds';
import { parsePlainJson, parsePlainJsonCooperatively } from '@portcullis/core/json/parse-plain-json';

const noBytes = Buffer.alloc(0);

/**
 * In bytes. Longer bodies are looked at in slices, so that others go on meanwhile. Parsing itself is one step, so theirs
 * are counted before.
 */
export const longBody = alwaysWithinBounds;

/** The text of longer bodies is decoded anew for each that asks, and not kept beside their bytes. */
const longestKeptText = longBody;

/**
 * The body of a request: its bytes, its text and its JSON value, which always say the same. A stage that changes it changes
 * the text; bytes are made of it, and the value is read from it, when they are next asked for.
 */
export class RequestBody {
  #bytes: Buffer | undefined = noBytes;
  #text: string | undefined;
  #json: unknown;
  #isStale = false;

  /** As it came. */
  take(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#text = undefined;
  }

  /** Reads it as JSON. @throws what `parsePlainJson` does */
  readJson(): void {
    this.#json = parsePlainJson(this.text);
  }

  /** The same for a long one, in steps. */
  *readLongJson(): Generator<undefined, void> {
    const { text } = this;
    yield;
    this.#json = yield* parsePlainJsonCooperatively(text);
  }

  /** As it goes to the target. */
  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.#text ?? ''));
  }

  /** The bytes as UTF-8. */
  get text(): string {
    if (this.#text !== undefined) return this.#text;
    const text = this.bytes.toString('utf8');
    if (this.bytes.length <= longestKeptText) this.#text = text;
    return text;
  }

  /** The value, undefined when it is not read as JSON. What `amend` added is not in it. */
  get json(): unknown {
    if (this.#isStale) {
      this.#json = JSON.parse(this.text);
      this.#isStale = false;
    }
    return this.#json;
  }

  /** Gives it another text, in which all stages behind read what the target will. */
  rewrite(text: string): void {
    this.#isStale ||= this.#json !== undefined;
    this.#text = text;
    this.#bytes = undefined;
  }

  /** Gives the target something more that no stage reads, such as an option that a client left out. */
  amend(changed: string | Buffer): void {
    // Before the text is another one than that of the value.
    void this.json;
    this.#text = typeof changed === 'string' ? changed : undefined;
    this.#bytes = typeof changed === 'string' ? undefined : changed;
  }
}

import { hash } from 'node:crypto';
import { LruMap } from '@portcullis/core/collections/lru-map';

/** Texts that are remembered, of all callers together. */
const mostTexts = 16_384;

/** Of one request: more than one person writes or one tool answers. */
const mostOfRequest = 64;

/** Who asks, and with what the conversation ends so far. */
export interface Asked {
  readonly caller: string;
  readonly lastWords: string;
}

/**
 * Texts for which callers were refused, as digests, in this process. A client that keeps a refused turn in its history
 * would be refused for ever; what is remembered here gives way to a note as soon as its user says something more.
 */
export class RefusedTexts {
  readonly #ends = new LruMap<string>();
  readonly #mostTexts: number;

  constructor(most = mostTexts) {
    this.#mostTexts = most;
  }

  note({ caller, lastWords }: Asked, texts: readonly string[]): void {
    const end = digest(lastWords);
    for (const text of texts.slice(0, mostOfRequest)) {
      const key = keyOf(caller, text);
      const known = this.#ends.use(key);
      if (known === undefined) this.#ends.add(key, end);
      else known.value = end;
    }
    for (let { oldest } = this.#ends; oldest !== undefined && this.#ends.size > this.#mostTexts;) {
      this.#ends.delete(oldest.key);
      ({ oldest } = this.#ends);
    }
  }

  /** Whether the caller was refused for the text, and its conversation has another end now. */
  has({ caller, lastWords }: Asked, text: string): boolean {
    const end = this.#ends.use(keyOf(caller, text))?.value;
    return end !== undefined && end !== digest(lastWords);
  }
}

const digest = (text: string): string => hash('sha256', text, 'base64url');
const keyOf = (caller: string, text: string): string => digest(`${caller}\n${text}`);

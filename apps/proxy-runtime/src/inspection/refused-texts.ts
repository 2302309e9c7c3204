import { hash } from 'node:crypto';
import { LruMap } from '@portcullis/core/collections/lru-map';

/** Texts that are remembered, of all conversations together. */
const mostTexts = 16_384;

/** Of one request: more than one person writes or one tool answers. */
const mostOfRequest = 64;

/** Which conversation of which caller, and with what it ends so far. */
export interface ConversationEnd {
  readonly conversation: string;
  readonly lastWords: string;
}

/**
 * Texts for which conversations were refused, as digests, in this process. A client that keeps a refused turn in its history
 * would be refused for ever; what is remembered here gives way to a note as soon as its user says something more.
 */
export class RefusedTexts {
  readonly #ends: LruMap<string>;

  constructor(most = mostTexts) {
    this.#ends = new LruMap(most);
  }

  note({ conversation, lastWords }: ConversationEnd, texts: readonly string[]): void {
    const end = digest(lastWords);
    for (const text of texts.slice(0, mostOfRequest)) this.#ends.set(keyOf(conversation, text), end);
  }

  /** Whether the conversation was refused for the text, and has another end now. */
  has({ conversation, lastWords }: ConversationEnd, text: string): boolean {
    const end = this.#ends.use(keyOf(conversation, text))?.value;
    return end !== undefined && end !== digest(lastWords);
  }
}

const digest = (text: string): string => hash('sha256', text, 'base64url');
/** Clients that put texts into one turn add an end of line to each. */
const keyOf = (conversation: string, text: string): string => digest(JSON.stringify([conversation, text.trim()]));

import { randomInt } from 'node:crypto';
import { createCanaryToken } from '@portcullis/core/canary/canary-token';
import { LruMap } from '@portcullis/core/collections/lru-map';
import type { ConversationCanary } from '../exchange/exchange.ts';

/** Conversations that are remembered; one that is older gets another token, or lots are drawn for it again. */
const mostConversations = 16_384;

/**
 * Which conversations of this process have a token, and which. It stays the same while a conversation grows: providers keep
 * what requests begin alike with, and another token would make them read all behind it anew with every turn.
 */
export class ConversationCanaries {
  readonly #canaries: LruMap<ConversationCanary | undefined>;
  readonly #draw: () => number;

  /** @param draw lots, from 0 up to and not including 1; a token itself is drawn from a source that cannot be foretold */
  constructor(most = mostConversations, draw = Math.random) {
    this.#canaries = new LruMap(most);
    this.#draw = draw;
  }

  /** @param rate the share of conversations that have one */
  find(conversation: string, rate: number): ConversationCanary | undefined {
    const known = this.#canaries.use(conversation);
    if (known !== undefined) return known.value;
    const isDrawn = rate >= 1 || this.#draw() < rate;
    const canary = isDrawn ? { token: createCanaryToken(randomInt), isRecorded: false } : undefined;
    return this.#canaries.add(conversation, canary).value;
  }
}

import { findCanaries, longestCanary } from './canary-token.ts';

/** Different tokens that one answer can report: an answer that repeats thousands says no more than with a few. */
const maxTokens = 20;
/** Channels whose ends are remembered. */
const maxChannels = 64;

/** Looks for tokens in an answer that arrives in pieces of any size. */
export class CanaryWatch {
  readonly #tokens = new Set<string>();
  readonly #ends = new Map<string, string>();

  /** The next piece of a channel. */
  push(channel: string, text: string): void {
    const joined = (this.#ends.get(channel) ?? '') + text;
    this.read(joined);
    if (this.#ends.has(channel) || this.#ends.size < maxChannels) this.#ends.set(channel, joined.slice(-longestCanary));
  }

  /** A text that is complete in itself. */
  read(text: string): void {
    for (const token of findCanaries(text)) if (this.#tokens.size < maxTokens) this.#tokens.add(token);
  }

  get tokens(): readonly string[] {
    return [...this.#tokens];
  }
}

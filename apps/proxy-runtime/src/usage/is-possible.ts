import type { Usage } from './usage.ts';

/** Tokens that a provider may add to what a client sent: conversations and files that it keeps, results of searches. */
const maxAddedInput = 2_000_000;
/** Tokens that a model may write beside what the client saw: what it thought, and whole media. */
const maxUnseenOutput = 1_000_000;
const maxSearches = 10_000;

/** Body bytes of an exchange. */
export interface ExchangeSize {
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** False for figures that no exchange of its size can come to: a token is a byte at least. */
export const isPossible = (usage: Usage, { requestBytes, responseBytes }: ExchangeSize): boolean =>
  usage.inputTokens <= requestBytes + maxAddedInput &&
  usage.outputTokens <= responseBytes + maxUnseenOutput &&
  usage.totalTokens <= requestBytes + responseBytes + maxAddedInput + maxUnseenOutput &&
  usage.webSearches <= maxSearches &&
  usage.fileSearches <= maxSearches;

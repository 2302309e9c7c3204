import type { JsonPath } from '@portcullis/core/json/visit-strings';

/** What a data plane knows of the conversation that a request goes on with. */
export interface Conversation {
  /** Whether the text is no part of what its user says now: an earlier turn, a tool's result, a document. */
  isReplaceable(place: JsonPath): boolean;
  /** Whether it was refused for this text before, and goes on with something more now. */
  wasRefused(text: string): boolean;
  rememberRefused(texts: readonly string[]): void;
}

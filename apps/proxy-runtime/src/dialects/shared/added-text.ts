/** What the gateway put into the place for a system prompt. */
export interface AddedText {
  /** The system prompts, in front of the client's own; empty when there are none. */
  readonly prompts: string;
  /** The canary token, behind it; empty without one. */
  readonly canary: string;
  /** What stood there before; null where there was nothing, or the dialect never shows it. */
  readonly own: unknown;
}

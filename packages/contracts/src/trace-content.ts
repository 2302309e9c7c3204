/** The content of a request to a model as a trace shows it: redacted, and cut to size. */
export interface TraceContent {
  /** What went to the model, in its order; older messages are left out first. */
  readonly input: readonly TraceMessage[];
  /** Absent where no answer came, or none that may be shown. */
  readonly output?: TraceAnswer;
  /** Some of it is left out. */
  readonly cut: boolean;
}

export interface TraceMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly string[];
}

export interface TraceAnswer {
  readonly parts: readonly string[];
  /** In the provider's word, `error` where it broke off. */
  readonly finish_reason: string;
}

/** The encryption context of a content: one that is moved to another request does not decrypt. */
export const traceContentContext = (eventId: string): string => `llm_trace_queue.content.${eventId}`;

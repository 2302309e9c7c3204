import type { IncomingHttpHeaders } from 'node:http';

/** What an LLM was asked, as far as the peer cares. */
export interface LlmQuestion {
  readonly model: string;
  /** Text of the last user message. */
  readonly prompt: string;
  /** Text of everything the caller sent, for counting tokens. */
  readonly input: string;
  readonly stream: boolean;
  /** The stream ends with a frame of usage (a choice of the caller for OpenAI, always so for Anthropic). */
  readonly streamUsage: boolean;
}

export interface LlmReply {
  readonly model: string;
  /** The reply's text in the pieces in which a stream sends it. */
  readonly pieces: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How one vendor reads a question and writes answers. */
export interface LlmDialect {
  /** @throws {InvalidQuestion} saying what the vendor would say */
  parse(body: unknown, headers: IncomingHttpHeaders): LlmQuestion;
  renderReply(reply: LlmReply): unknown;
  /** Frames of an event stream: before the text, one per piece of text, after it. */
  renderStream(
    reply: LlmReply,
    question: LlmQuestion,
  ): {
    readonly head: string;
    readonly pieces: readonly string[];
    readonly tail: string;
  };
  renderError(status: number, message: string, parameter?: string | null): unknown;
}

export class InvalidQuestion extends Error {
  /** The offending field, for vendors that name it apart from the message. */
  readonly parameter: string | null;

  constructor(message: string, parameter: string | null = null) {
    super(message);
    this.name = 'InvalidQuestion';
    this.parameter = parameter;
  }
}

/** Four characters to a token: wrong for every vendor, the same on every run. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);

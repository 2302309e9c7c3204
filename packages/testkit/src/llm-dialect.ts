import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from './is-object.ts';

/** What an LLM was asked, as far as the peer cares. */
export interface LlmQuestion {
  readonly model: string;
  /** Text of the last user message. */
  readonly prompt: string;
  /** Text of everything the caller sent, for counting tokens. */
  readonly input: string;
  readonly stream: boolean;
  /** The stream ends with a frame of usage (a choice of the caller for OpenAI, always so for the others). */
  readonly streamUsage: boolean;
  /** What the caller lets the model call. */
  readonly tools: readonly OfferedTool[];
  /** Texts of the results of calls that the conversation holds, oldest first. */
  readonly results: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  /** Path and query. */
  readonly path: string;
}

/** A tool that the caller runs for the model: a function of JSON, or one that takes text in a language of its own. */
export interface OfferedTool {
  readonly name: string;
  readonly takes: 'json' | 'text';
  readonly description: string;
  /** JSON schema of its arguments; empty for one that takes text. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A function as the APIs spell it, with its schema under the name that each has for it. */
export const parseFunction = (tool: Readonly<Record<string, unknown>>, schema: unknown): OfferedTool => ({
  name: String(tool['name']),
  takes: 'json',
  description: typeof tool['description'] === 'string' ? tool['description'] : '',
  parameters: isObject(schema) ? schema : {},
});

/** A tool that the peer calls instead of answering. */
export interface LlmCall {
  readonly name: string;
  /** A text for a tool that takes one. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

export interface LlmReply {
  readonly model: string;
  /** The reply's text in the pieces in which a stream sends it; of a call, the JSON of its arguments. */
  readonly pieces: readonly string[];
  readonly call: LlmCall | undefined;
  /** Ends the ids of the reply and of its call; no two replies of a conversation share it. */
  readonly number: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How one vendor reads a question and writes answers. */
export interface LlmDialect {
  /** @throws {InvalidQuestion} saying what the vendor would say */
  parse(body: unknown, headers: IncomingHttpHeaders, path: string): LlmQuestion;
  renderReply(reply: LlmReply, question: LlmQuestion): unknown;
  /** Frames of a stream: before the text, one per piece of text, after it. */
  renderStream(
    reply: LlmReply,
    question: LlmQuestion,
  ): {
    readonly head: string | Buffer;
    readonly pieces: readonly (string | Buffer)[];
    readonly tail: string | Buffer;
    /** Absent: an event stream. */
    readonly contentType?: string;
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

/** What stands for an image in the text of a question. */
export const imageMark = '[image]';

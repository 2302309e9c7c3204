import type {
  GuardrailConfig,
  GuardrailCredentials,
  GuardrailType,
  RemoteGuardrailType,
} from '@portcullis/contracts/guardrail-config';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { GuardrailQuestion } from './guardrail-question.ts';

/** How a provider is reached. The credentials are in the clear: never log it. */
export interface GuardrailAccess<Of extends GuardrailType> {
  readonly config: GuardrailConfig<Of>;
  readonly credentials: GuardrailCredentials<Of>;
}

export interface GuardrailRequest {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Statuses other than 2xx that are an answer, and what they are read as. */
  readonly answers?: ReadonlyMap<number, unknown>;
}

/** What a provider said of a text. */
export interface GuardrailResult {
  readonly flagged: boolean;
  /** What the text is flagged for, in the provider's words. */
  readonly categories: readonly string[];
  /** From 0 to 1 by category or policy, also of those that are not flagged. */
  readonly scores: Readonly<Record<string, number>>;
  /** From 0 to 1, of the verdict that it is flagged; null when the provider does not tell. */
  readonly confidence: number | null;
  readonly rationale: string | null;
  readonly tokens: number | null;
}

export const harmless: GuardrailResult = Object.freeze({
  flagged: false,
  categories: [],
  scores: {},
  confidence: null,
  rationale: null,
  tokens: null,
});

/** Thrown for an answer that is none: what cannot be read is not taken as safe. */
export class UnreadableAnswer extends Error {}

/** How one kind of provider is asked over the network. Pure: it neither sends nor reads the clock. */
export interface GuardrailAdapter<Of extends RemoteGuardrailType> {
  /** Longest text of one question; longer ones are asked in pieces. */
  readonly maxCharacters: number;
  /** The requests that answer the question together; none when the provider has nothing to say about it. */
  buildRequests(access: GuardrailAccess<Of>, question: GuardrailQuestion, now: Date): readonly GuardrailRequest[];
  /**
   * @param answer the parsed body of an answer with a status of 2xx
   * @throws {UnreadableAnswer}
   */
  readAnswer(access: GuardrailAccess<Of>, answer: unknown): GuardrailResult;
}

/** A POST of JSON. */
export const postJson = (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): GuardrailRequest => ({
  url,
  method: 'POST',
  headers: { ...jsonHeaders, ...headers },
  body: JSON.stringify(body),
});

export const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' };

export const bearer = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

/** A path below a base URL, whether that ends with a slash or not. */
export const below = (baseUrl: string, path: string): string => `${trimSlashes(baseUrl)}/${path}`;

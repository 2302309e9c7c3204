import type { RecordedRequest } from '../loopback-peer.ts';

export type GuardrailVendor =
  | 'openai_moderation'
  | 'llama_guard'
  | 'bedrock'
  | 'azure_content_safety'
  | 'lakera'
  | 'dynamoai'
  | 'enkryptai'
  | 'fiddler'
  | 'guardrailsai'
  | 'http';

/** How one vendor's endpoint reads and answers. */
export interface GuardrailDialect {
  readonly type: GuardrailVendor;
  /** A configuration and credentials with which it is reached. */
  access(url: string): { readonly config: object; readonly credentials: Readonly<Record<string, string>> };
  /** What the vendor would refuse about the request, or undefined. */
  check(request: RecordedRequest, body: unknown): string | undefined;
  /** The text to judge. */
  readText(body: unknown): string;
  /** The documented answer. */
  answer(flagged: boolean, request: RecordedRequest): unknown;
}

export const peerKey = 'peer-key';

export const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The first rule that is broken. */
export const firstBroken = (rules: readonly (readonly [holds: boolean, problem: string])[]): string | undefined =>
  rules.find(([holds]) => !holds)?.[1];

export const hasBearer = ({ headers }: RecordedRequest): boolean => headers.authorization === `Bearer ${peerKey}`;

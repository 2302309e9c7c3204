import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { property, textProperty } from '@portcullis/core/json/json-value';
import type { Finding } from '@portcullis/core/policy/policy';

/**
 * Whether a string stands in what a model's provider has signed or sealed: it refuses the conversation as soon as a
 * character of it has changed. Anthropic's thinking (also as LiteLLM has it in `thinking_blocks`), Bedrock's
 * `reasoningText`, OpenRouter's `reasoning_details`, thoughts of Gemini and of its interactions, and `encrypted_content` of OpenAI's responses.
 */
export function isSigned(root: unknown, path: JsonPath): boolean {
  let node = root;
  for (const [depth, step] of path.entries()) {
    const holder = node;
    node = property(node, String(step));
    if (sealedFields.has(step) && typeof node === 'string') return true;
    if (signedFields.has(step) && isSignedPart(holder, path[depth - 1])) return true;
    if (depth > 0 && isOfCall(step, node)) return false;
  }
  return false;
}

/** What a tool is called with has any form that its author or the model likes, also that of something signed. */
const isOfCall = (field: unknown, value: unknown): boolean => callFields.has(field) && !Array.isArray(value);
const callFields: ReadonlySet<unknown> = new Set(['input', 'args', 'arguments', 'parameters']);

/** Of a signed part, what providers know. */
const signedFields: ReadonlySet<unknown> = new Set(['thinking', 'text', 'summary', 'data', 'signature']);

const sealedFields: ReadonlySet<unknown> = new Set([
  'encrypted_content',
  'redactedContent',
  'thoughtSignature',
  'thought_signature',
]);

const sealedTypes: ReadonlySet<unknown> = new Set(['redacted_thinking', 'reasoning.encrypted']);
const thinkingTypes: ReadonlySet<unknown> = new Set(['thinking', 'thought', 'reasoning.text', 'reasoning.summary']);

/** @param name of the field that the part is the value of, or its index */
function isSignedPart(part: unknown, name?: string | number): boolean {
  // A whole turn is not signed, whatever type it gives itself.
  if (typeof part !== 'object' || part === null || property(part, 'role') !== undefined) return false;
  const type = property(part, 'type');
  if (sealedTypes.has(type)) return true;
  const isThinking = thinkingTypes.has(type) || name === 'reasoningText' || property(part, 'thought') === true;
  return isThinking && signatures.some((field) => (textProperty(part, field) ?? '') !== '');
}

const signatures = ['signature', 'thoughtSignature', 'thought_signature'];

/** Findings in a text that stays as it is: what was to be hidden is only reported. */
export const monitorOnly = (findings: readonly Finding[]): readonly Finding[] =>
  findings.some(({ action }) => action === 'redact')
    ? findings.map((finding) => (finding.action === 'redact' ? { ...finding, action: 'monitor' } : finding))
    : findings;

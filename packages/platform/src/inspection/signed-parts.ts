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
  for (const step of path) {
    node = property(node, String(step));
    if (sealedFields.has(step) || isSignedPart(node, step)) return true;
  }
  return false;
}

const sealedFields: ReadonlySet<unknown> = new Set([
  'encrypted_content',
  'redactedContent',
  'thoughtSignature',
  'thought_signature',
]);

const sealedTypes: ReadonlySet<unknown> = new Set(['redacted_thinking', 'reasoning.encrypted']);
const thinkingTypes: ReadonlySet<unknown> = new Set(['thinking', 'thought', 'reasoning.text', 'reasoning.summary']);

/** @param name of the field that the part is the value of, or its index */
export function isSignedPart(part: unknown, name?: string | number): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const type = property(part, 'type');
  if (sealedTypes.has(type)) return true;
  const isThinking = thinkingTypes.has(type) || name === 'reasoningText' || property(part, 'thought') === true;
  return isThinking && signatures.some((field) => (textProperty(part, field) ?? '') !== '');
}

const signatures = ['signature', 'thoughtSignature', 'thought_signature'];

/** Findings in a text that stays as it is: what was to be hidden is only told. */
export const withoutHiding = (findings: readonly Finding[]): readonly Finding[] =>
  findings.some(({ action }) => action === 'redact')
    ? findings.map((finding) => (finding.action === 'redact' ? { ...finding, action: 'monitor' } : finding))
    : findings;

import { createHash } from 'node:crypto';
import type { EvaluationCase, EvaluationOracle } from '@portcullis/contracts/evaluation-case';
import { encoders, isEncoder } from './encode-text.ts';

/** One message of a conversation with an endpoint. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A case with the values of one run in it. */
export interface RenderedCase {
  /** Sent as the instructions of the application; empty for none. */
  readonly system: string;
  /** The last one is the prompt of the case. Those of the assistant are put into its mouth. */
  readonly turns: readonly ChatMessage[];
  readonly oracles: readonly EvaluationOracle[];
}

const placeholder = /\{\{(canary|digits)(_[a-z0-9]{1,20})?\}\}/g;
const opening = /\{\{#([a-z_0-9]{1,20})\}\}/g;

const canaryLength = 10;
const digitsLength = 10;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Fills in what a run plants: `{{canary}}` and `{{canary_name}}` with ten letters and digits, `{{digits_name}}` with ten digits, and
 * `{{#base64}}…{{/base64}}` with the encoded text. What is planted follows from the seed alone, so that a run that is taken up
 * again plants the same.
 * @param seed of the evaluation, unpredictable for the endpoint
 */
export function renderCase(testCase: EvaluationCase, seed: string): RenderedCase {
  const fill = (text: string): string => fillIn(text, `${seed}\n${testCase.test_id}`);
  return {
    system: fill(testCase.system ?? ''),
    turns: [...(testCase.turns ?? []), { role: 'user' as const, content: testCase.prompt }].map(
      ({ role, content }) => ({
        role,
        content: fill(content),
      }),
    ),
    oracles: testCase.oracles.map((oracle) =>
      oracle.kind === 'leak' || oracle.kind === 'reply' ? { ...oracle, values: oracle.values.map(fill) } : oracle,
    ),
  };
}

function fillIn(text: string, seed: string): string {
  const filled = text.replaceAll(placeholder, (_whole, kind: string, name: string | undefined) =>
    planted(kind, `${seed}\n${kind}${name ?? ''}`),
  );
  return encodeBlocks(filled);
}

/** What stands between an opening and its end is encoded; an opening without one stays. */
function encodeBlocks(text: string): string {
  const unclosed = new Set<string>();
  let encoded = '';
  let at = 0;
  for (const { index, 0: mark, 1: name = '' } of text.matchAll(opening)) {
    // Looked for once: where the end is missing behind one opening it is behind all that follow.
    if (index < at || !isEncoder(name) || unclosed.has(name)) continue;
    const from = index + mark.length;
    const end = text.indexOf(`{{/${name}}}`, from);
    if (end === -1) unclosed.add(name);
    else {
      encoded += text.slice(at, index) + encoders[name](text.slice(from, end));
      at = end + `{{/${name}}}`.length;
    }
  }
  return encoded + text.slice(at);
}

/** A canary begins with a letter and has a digit in it, so that no language has it as a word and no list as a number. */
function planted(kind: string, seed: string): string {
  const bytes = createHash('sha256').update(seed).digest();
  if (kind === 'digits') return `7${pick(bytes, '0123456789', digitsLength - 1)}`;
  const [first = 0, digit = 0] = bytes.subarray(30);
  const letter = alphabet[10 + (first % 26)] ?? 'k';
  return `${letter}${digit % 10}${pick(bytes, alphabet, canaryLength - 2)}`;
}

const pick = (bytes: Uint8Array, from: string, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => from[byte % from.length] ?? '0').join('');

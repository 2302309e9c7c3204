import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { listAt, numberAt, propertyOf, shareOf, textAt } from './answer-value.ts';
import {
  below,
  bearer,
  harmless,
  postJson,
  UnreadableAnswer,
  type GuardrailAdapter,
  type GuardrailResult,
} from './guardrail-adapter.ts';
import { joinTexts, type GuardrailQuestion } from './guardrail-question.ts';

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A model that answers `safe`, or `unsafe` and the codes of what it found, behind chat completions. */
export const llamaGuard: GuardrailAdapter<'llama_guard'> = {
  maxCharacters: 16_000,

  buildRequests({ config, credentials }, question) {
    const { policy, reasoning_effort: effort } = config;
    const system: ChatMessage[] = policy === '' ? [] : [{ role: 'system', content: policy }];
    const body = {
      model: config.model,
      messages: [...system, ...chatOf(config, question)],
      temperature: 0,
      max_tokens: config.max_tokens,
      ...(effort !== 'none' && { reasoning_effort: effort }),
    };
    return [postJson(below(config.base_url, 'chat/completions'), body, bearer(credentials.api_key))];
  },

  readAnswer({ config }, answer) {
    const said = textAt(answer, 'choices.0.message.content')?.trim();
    if (said === undefined || said === '') throw new UnreadableAnswer('The answer has no text');
    const reading = config.answer_format === 'json' ? readJson(said) : readCodes(said);
    return { ...reading, tokens: numberAt(answer, 'usage.total_tokens') ?? null };
  },
};

/** The model judges the last turn, and its template wants user and assistant to take turns. */
function chatOf({ answer_format: format }: GuardrailConfig<'llama_guard'>, question: GuardrailQuestion): ChatMessage[] {
  const content = joinTexts(question);
  if (question.direction === 'request' || format === 'json') return [{ role: 'user', content }];
  return [
    { role: 'user', content: question.prompt || '(not shown)' },
    { role: 'assistant', content },
  ];
}

function readCodes(said: string): GuardrailResult {
  const [verdict = '', ...rest] = said.split(/\s+/);
  const word = verdict.toLowerCase();
  if (word === 'safe') return harmless;
  if (word !== 'unsafe') throw new UnreadableAnswer('The answer begins neither with safe nor with unsafe');
  const categories = rest
    .join(' ')
    .split(/[\s,]+/)
    .filter(Boolean);
  return { ...harmless, flagged: true, categories, scores: certain(categories) };
}

/** Models wrap the object in a fence, or say a word before it. */
function readJson(said: string): GuardrailResult {
  const value = parseOrThrow(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
  const violation = propertyOf(value, 'violation') ?? propertyOf(value, 'violated');
  const flagged = violation === true || violation === 1 || violation === '1';
  if (!flagged && violation !== false && violation !== 0 && violation !== '0') {
    throw new UnreadableAnswer('The answer has no violation of 0 or 1');
  }
  const categories = flagged ? namesIn(value) : [];
  const confidence = confidenceIn(value);
  return {
    ...harmless,
    flagged,
    categories,
    scores: certain(categories, confidence ?? 1),
    confidence: flagged ? confidence : null,
    rationale: textAt(value, 'rationale') ?? textAt(value, 'reason') ?? null,
  };
}

function parseOrThrow(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new UnreadableAnswer('The answer holds no JSON object');
  }
}

const namesIn = (value: unknown): string[] =>
  ['violated_categories', 'categories', 'policy_category', 'category'].flatMap((name) => {
    const one = textAt(value, name);
    return one === undefined || one === ''
      ? listAt(value, name).filter((each): each is string => typeof each === 'string')
      : [one];
  });

const levels: Readonly<Record<string, number>> = { low: 0.3, medium: 0.6, high: 0.9 };

function confidenceIn(value: unknown): number | null {
  const figure = numberAt(value, 'confidence');
  if (figure !== undefined) return shareOf(figure);
  return levels[textAt(value, 'confidence')?.toLowerCase() ?? ''] ?? null;
}

const certain = (categories: readonly string[], score = 1) =>
  Object.fromEntries(categories.map((name) => [name, score]));

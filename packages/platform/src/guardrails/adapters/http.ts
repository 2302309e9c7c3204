import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { entriesAt, numberAt, shareOf, sharesAt, textAt, valueAt } from './answer-value.ts';
import { jsonHeaders, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';
import { joinTexts } from './guardrail-question.ts';

type Config = GuardrailConfig<'http'>;

/** Any endpoint that takes JSON and answers JSON; the configuration says where what stands. */
export const http: GuardrailAdapter<'http'> = {
  maxCharacters: 30_000,

  buildRequests({ config, credentials }, question) {
    const text = joinTexts(question);
    const values: Readonly<Record<string, string>> = {
      text,
      prompt: question.direction === 'request' ? text : (question.prompt ?? ''),
      direction: question.direction,
    };
    const { api_key: key } = credentials;
    const headers = {
      ...lowerNames(config.headers),
      ...jsonHeaders,
      ...(key !== undefined && { [config.auth_header.toLowerCase()]: config.auth_prefix + key }),
    };
    return [{ url: config.url, method: config.method, headers, body: JSON.stringify(fillIn(config.body, values)) }];
  },

  readAnswer({ config }, answer) {
    const verdict = valueAt(answer, config.verdict_path);
    const flagged = readVerdict(config, verdict);
    const score = numberAt(answer, config.score_path) ?? (typeof verdict === 'number' ? verdict : undefined);
    const named = readCategories(answer, config.categories_path);
    return {
      flagged,
      categories: flagged ? named.categories : [],
      scores: named.scores,
      confidence: flagged && score !== undefined ? shareOf(score) : null,
      rationale: textAt(answer, config.rationale_path) ?? null,
      tokens: null,
    };
  },
};

const lowerNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** In one pass: what is filled in is not looked at again. */
function fillIn(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\{(text|prompt|direction)\}/g, (_, name: string) => values[name] ?? '');
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, values)]));
}

function readVerdict({ verdict_path: path, threshold, ...config }: Config, verdict: unknown): boolean {
  // Absent in what was stored before there was a choice.
  if (typeof verdict === 'boolean') return verdict === (config.flag_means !== 'safe');
  if (typeof verdict === 'number') return verdict >= threshold;
  const isAmong = (words: readonly string[]) =>
    typeof verdict === 'string' && words.some((word) => word.toLowerCase() === verdict.trim().toLowerCase());
  if (isAmong(config.violation_values)) return true;
  if (isAmong(config.safe_values)) return false;
  throw new UnreadableAnswer(`The answer has no verdict at ${path}`);
}

/** A list of names, or an object of flags or figures by name; a figure of half or more counts as named. */
function readCategories(answer: unknown, path: string) {
  const found = valueAt(answer, path);
  if (Array.isArray(found)) {
    const categories = found.filter((name): name is string => typeof name === 'string');
    return { categories, scores: {} };
  }
  const isNamed = (value: unknown) => value === true || (typeof value === 'number' && value >= 0.5);
  const categories = entriesAt(answer, path).flatMap(([name, value]) => (isNamed(value) ? [name] : []));
  return { categories, scores: sharesAt(answer, path) };
}

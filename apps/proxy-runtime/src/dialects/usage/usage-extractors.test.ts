import { findProvider, extractUsage, type UsageExtractor } from '@pydantic/genai-prices';
import { expect, test } from '@jest/globals';
import { anthropicMessages } from '../anthropic/messages.ts';
import { readAnyUsage } from './any-usage.ts';
import { openaiChat } from '../openai/chat.ts';
import { openaiResponses } from '../openai/responses.ts';
import type { Dialect } from '../shared/dialect.ts';
import type { Usage } from '../../usage/usage.ts';

/** Providers of the price library with extractors of usage. */
const providers = [
  'anthropic',
  'arcee',
  'aws',
  'azure',
  'baseten',
  'cerebras',
  'cloudflare',
  'cohere',
  'deepseek',
  'fireworks',
  'github-copilot',
  'google',
  'groq',
  'huggingface_together',
  'minimax',
  'mistral',
  'moonshotai',
  'openai',
  'openrouter',
  'ovhcloud',
  'perplexity',
  'together',
  'x-ai',
  'zai',
  'zhipuai',
];

/** Forms that no proxy meets, sockets and what xAI's own library makes of messages that are not JSON; and pages, which are no tokens. */
const isMet = (provider: string, flavour: string): boolean =>
  !/^(?:realtime|ocr)/.test(flavour) && !(provider === 'x-ai' && flavour === 'default');

const readers: Readonly<Record<string, Dialect['readUsage']>> = {
  chat: openaiChat.readUsage,
  responses: openaiResponses.readUsage,
  images: openaiResponses.readUsage,
  anthropic: anthropicMessages.readUsage,
};

interface Match {
  readonly field: string;
  readonly match: unknown;
}
type Step = string | Match;
type Node = Record<string, unknown>;

const steps = (path: unknown): readonly Step[] => (Array.isArray(path) ? (path as Step[]) : [path as string]);

/** Puts a figure where a path leads, and what is on the way to it. */
function put(node: Node, [step, ...rest]: readonly Step[], value: number): void {
  if (typeof step !== 'string') throw new Error('A path begins with a name');
  const [next, ...deeper] = rest;
  if (next === undefined) node[step] = value;
  else if (typeof next === 'string') put((node[step] ??= {}) as Node, rest, value);
  else {
    const list = (node[step] ??= []) as Node[];
    const name = (next.match as { readonly equals: string }).equals;
    let found = list.find((member) => member[next.field] === name);
    if (found === undefined) list.push((found = { [next.field]: name }));
    put(found, deeper, value);
  }
}

/** Parts lie within their whole. */
const wholes: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'input_tokens',
  'completion_tokens',
  'output_tokens',
  'promptTokenCount',
  'candidatesTokenCount',
]);
const isWhole = (path: unknown): boolean => wholes.has(steps(path).at(-1) as string);

/** An answer with another figure at each place that an extractor reads. */
function answerOf({ root, mappings }: UsageExtractor): Node {
  const answer: Node = { model: 'm' };
  for (const [index, { path, dest }] of mappings.entries()) {
    const figure = dest === 'cache_write_1h_tokens' ? 7 : index + (isWhole(path) ? 10_000 : 100);
    put(answer, [...steps(root), ...steps(path)], figure);
  }
  return answer;
}

const ours = (usage: Usage): Readonly<Record<string, number>> => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_read_tokens: usage.cachedInputTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  cache_write_1h_tokens: usage.longCacheWriteTokens,
  output_reasoning_tokens: usage.reasoningTokens,
  output_citation_tokens: usage.citationTokens,
  web_searches: usage.webSearches,
  input_audio_tokens: usage.audio?.input ?? 0,
  output_audio_tokens: usage.audio?.output ?? 0,
});

const rows = providers.flatMap((id) =>
  (findProvider({ providerId: id })?.extractors ?? [])
    .filter(({ api_flavor: flavour }) => isMet(id, flavour))
    .map((extractor) => [id, extractor.api_flavor, extractor] as const),
);

test.each(rows)('what %s tells (%s) is read as the price library reads it', (id, flavour, extractor) => {
  const provider = findProvider({ providerId: id });
  if (provider === undefined) throw new Error('No provider');
  const answer = answerOf(extractor);
  const theirs = extractUsage(provider, answer, flavour).usage as Readonly<Record<string, number | undefined>>;
  // It tells what was thought in the total, too, by which it is known to stand beside the output.
  if (id === 'x-ai')
    put(answer, ['usage', 'total_tokens'], Number(theirs['input_tokens']) + Number(theirs['output_tokens']));
  const usage = (readers[flavour] ?? readAnyUsage)(answer);
  if (usage === undefined) throw new Error('Nothing was read');
  const read = ours(usage);
  const compared = Object.keys(read).filter((name) => theirs[name] !== undefined);
  expect(compared).toContain('input_tokens');
  expect(Object.fromEntries(compared.map((name) => [name, read[name]]))).toEqual(
    Object.fromEntries(compared.map((name) => [name, theirs[name]])),
  );
});

test('all providers that the library reads are compared', () => {
  expect(rows.length).toBeGreaterThan(30);
});

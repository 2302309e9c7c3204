import type { MediaTokens } from '@portcullis/core/pricing/model-price';
import { maxModelLength } from './model-name.ts';
import { microPerUsd, statedMicroUsd } from './stated-cost.ts';

/** Tokens of one exchange as the provider told them. */
export interface Usage {
  readonly model: string | undefined;
  /** All that the model read, cached or not. */
  readonly inputTokens: number;
  /** Of the input: read from the provider's cache, which most sell cheaper. */
  readonly cachedInputTokens: number;
  /** Of the input: written to the provider's cache, which some sell dearer. */
  readonly cacheWriteTokens: number;
  /** Of those: written to a cache that keeps them for longer. */
  readonly longCacheWriteTokens: number;
  /** All that the model wrote, what it thought included. */
  readonly outputTokens: number;
  /** Of the output: thought and not said. */
  readonly reasoningTokens: number;
  /** Of the output, beside what was thought: what it quotes of its sources, where that is told apart. */
  readonly citationTokens: number;
  /** Of input and output: sound; undefined where there was none. */
  readonly audio: MediaTokens | undefined;
  /** Of input and output: pictures. */
  readonly image: MediaTokens | undefined;
  /** Searches in the web, which are charged apart. */
  readonly webSearches: number;
  /** Searches in files that the provider keeps, charged apart too. */
  readonly fileSearches: number;
  /** As the provider adds up, never less than input and output. */
  readonly totalTokens: number;
  /** What the provider says that it cost; undefined where it says nothing. */
  readonly statedCostMicroUsd: number | undefined;
}

/** What a dialect found; a figure that it does not tell is 0. */
export interface ReportedUsage {
  readonly model: string | undefined;
  readonly input: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly longCacheWrite?: number;
  readonly output: number;
  readonly reasoning?: number;
  readonly citation?: number;
  readonly audio?: MediaTokens | undefined;
  readonly image?: MediaTokens | undefined;
  readonly webSearches?: number;
  readonly fileSearches?: number;
  readonly total?: number;
  /** USD. */
  readonly statedCost?: number | undefined;
}

/** Keeps the figures together for any answer of a provider: a part is never more than its whole. */
export function createUsage(reported: ReportedUsage): Usage {
  const { input, output } = reported;
  const model = reported.model?.slice(0, maxModelLength);
  const cachedInputTokens = Math.min(reported.cachedInput ?? 0, input);
  const cacheWriteTokens = Math.min(reported.cacheWrite ?? 0, input - cachedInputTokens);
  const whole = { input: input - cacheWriteTokens, cachedInput: cachedInputTokens, output };
  const audio = boundMedia(reported.audio, whole);
  const reasoningTokens = Math.min(reported.reasoning ?? 0, output);
  return {
    model,
    inputTokens: input,
    cachedInputTokens,
    cacheWriteTokens,
    longCacheWriteTokens: Math.min(reported.longCacheWrite ?? 0, cacheWriteTokens),
    outputTokens: output,
    reasoningTokens,
    citationTokens: Math.min(reported.citation ?? 0, output - reasoningTokens),
    audio,
    image: boundMedia(reported.image, without(whole, audio)),
    webSearches: reported.webSearches ?? 0,
    fileSearches: reported.fileSearches ?? 0,
    totalTokens: Math.max(reported.total ?? 0, input + output),
    statedCostMicroUsd: statedMicroUsd(reported.statedCost),
  };
}

/** No more of it than there was of all. */
function boundMedia(reported: MediaTokens | undefined, whole: MediaTokens): MediaTokens | undefined {
  if (reported === undefined) return undefined;
  const cachedInput = Math.min(reported.cachedInput, reported.input, whole.cachedInput);
  const plain = Math.min(reported.input - cachedInput, whole.input - whole.cachedInput);
  const output = Math.min(reported.output, whole.output);
  return plain + cachedInput + output === 0 ? undefined : { input: plain + cachedInput, cachedInput, output };
}

const without = (whole: MediaTokens, part: MediaTokens | undefined): MediaTokens =>
  part === undefined
    ? whole
    : {
        input: whole.input - part.input,
        cachedInput: whole.cachedInput - part.cachedInput,
        output: whole.output - part.output,
      };

function largerMedia(known: MediaTokens | undefined, reported: MediaTokens | undefined): MediaTokens | undefined {
  if (known === undefined || reported === undefined) return reported ?? known;
  return {
    input: Math.max(known.input, reported.input),
    cachedInput: Math.max(known.cachedInput, reported.cachedInput),
    output: Math.max(known.output, reported.output),
  };
}

/** Dialects tell input and output in different events of a stream, and running totals: the largest figure stands. */
export function mergeUsage(known: Usage | undefined, reported: Usage): Usage {
  if (known === undefined) return reported;
  const larger = (figure: Exclude<keyof Usage, 'model' | 'audio' | 'image' | 'statedCostMicroUsd'>): number =>
    Math.max(known[figure], reported[figure]);
  const stated = reported.statedCostMicroUsd ?? known.statedCostMicroUsd;
  return createUsage({
    model: reported.model ?? known.model,
    input: larger('inputTokens'),
    cachedInput: larger('cachedInputTokens'),
    cacheWrite: larger('cacheWriteTokens'),
    longCacheWrite: larger('longCacheWriteTokens'),
    output: larger('outputTokens'),
    reasoning: larger('reasoningTokens'),
    citation: larger('citationTokens'),
    audio: largerMedia(known.audio, reported.audio),
    image: largerMedia(known.image, reported.image),
    webSearches: larger('webSearches'),
    fileSearches: larger('fileSearches'),
    total: larger('totalTokens'),
    statedCost: stated === undefined ? undefined : stated / microPerUsd,
  });
}

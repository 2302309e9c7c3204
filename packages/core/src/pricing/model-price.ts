/**
 * What tokens of one kind cost: USD per million, which is micro-USD per token. Some providers charge another
 * rate for the whole request once it reads more than so many tokens.
 */
export interface Rate {
  readonly base: number;
  /** By rising `above`, a number of input tokens. */
  readonly tiers: readonly { readonly above: number; readonly rate: number }[];
}

export interface ModelPrice {
  readonly input: Rate;
  /** Input from the provider's cache; like other input where it has no rate of its own. */
  readonly cachedInput: Rate | undefined;
  readonly cacheWrite: Rate | undefined;
  /** Input written to a cache that keeps it for longer. */
  readonly longCacheWrite: Rate | undefined;
  readonly output: Rate;
  /** What was thought, and what was quoted of sources; like other output where they have no rate. */
  readonly reasoning?: Rate;
  readonly citation?: Rate;
  /** Sound and pictures that are read, read from a cache, and made; like text where they have no rate. */
  readonly audio?: MediaRates;
  readonly image?: MediaRates;
  /** Micro-USD for each search in the web, each search in stored files, and each request; nothing where absent. */
  readonly fees?: Fees;
}

export interface MediaRates {
  readonly input: Rate | undefined;
  readonly cachedInput: Rate | undefined;
  readonly output: Rate | undefined;
}

export interface Fees {
  readonly webSearch: number;
  readonly fileSearch: number;
  readonly request: number;
}

/** Tokens of sound, or of pictures. */
export interface MediaTokens {
  readonly input: number;
  /** Within `input`. */
  readonly cachedInput: number;
  readonly output: number;
}

/** Parts lie within their whole: cached and written input within the input, sound and pictures within what they are part of. */
export interface PricedTokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  /** Within `cacheWriteTokens`. */
  readonly longCacheWriteTokens: number;
  readonly outputTokens: number;
  /** Within `outputTokens`, both. */
  readonly reasoningTokens?: number;
  readonly citationTokens?: number;
  /** Absent: all of it is text. */
  readonly audio?: MediaTokens | undefined;
  readonly image?: MediaTokens | undefined;
  /** Searches in the web. */
  readonly webSearches?: number;
  /** Searches in files that the provider keeps. */
  readonly fileSearches?: number;
}

/** What sums of rates may be off by, in micro-USD. */
const rounding = 1e-6;

/** In whole micro-USD, rounded up: no request that costs anything costs nothing. */
export function costOf(price: ModelPrice, tokens: PricedTokens): number {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, longCacheWriteTokens, outputTokens } = tokens;
  const { input, output } = price;
  const plainInput = inputTokens - cachedInputTokens - cacheWriteTokens;
  const cacheWrite = price.cacheWrite ?? input;
  const longCacheWrite = price.longCacheWrite ?? cacheWrite;
  const cost =
    plainInput * rateFor(input, inputTokens) +
    cachedInputTokens * rateFor(price.cachedInput ?? input, inputTokens) +
    (cacheWriteTokens - longCacheWriteTokens) * rateFor(cacheWrite, inputTokens) +
    longCacheWriteTokens * rateFor(longCacheWrite, inputTokens) +
    outputTokens * rateFor(output, inputTokens) +
    surcharge(price.reasoning, output, tokens.reasoningTokens, inputTokens) +
    surcharge(price.citation, output, tokens.citationTokens, inputTokens) +
    mediaSurcharge(price, price.audio, tokens.audio, inputTokens) +
    mediaSurcharge(price, price.image, tokens.image, inputTokens) +
    feesOf(price, tokens);
  return Math.max(0, Math.ceil(cost - rounding));
}

/** What a part of the output costs beyond as much of other output. */
const surcharge = (rate: Rate | undefined, output: Rate, count = 0, inputTokens: number): number =>
  rate === undefined ? 0 : count * (rateFor(rate, inputTokens) - rateFor(output, inputTokens));

/** What sound or pictures cost beyond as much text; below zero where they are cheaper. */
function mediaSurcharge(
  price: ModelPrice,
  rates: MediaRates | undefined,
  tokens: MediaTokens | undefined,
  inputTokens: number,
): number {
  if (rates === undefined || tokens === undefined) return 0;
  const beyond = (rate: Rate | undefined, text: Rate): number =>
    rate === undefined ? 0 : rateFor(rate, inputTokens) - rateFor(text, inputTokens);
  return (
    (tokens.input - tokens.cachedInput) * beyond(rates.input, price.input) +
    tokens.cachedInput * beyond(rates.cachedInput, price.cachedInput ?? price.input) +
    tokens.output * beyond(rates.output, price.output)
  );
}

const feesOf = ({ fees }: ModelPrice, { webSearches = 0, fileSearches = 0 }: PricedTokens): number =>
  fees === undefined ? 0 : fees.request + webSearches * fees.webSearch + fileSearches * fees.fileSearch;

const rateFor = ({ base, tiers }: Rate, inputTokens: number): number =>
  tiers.length === 0 ? base : (tiers.findLast(({ above }) => inputTokens > above)?.rate ?? base);

/** The same rate for requests of every size. */
export const flatRate = (base: number): Rate => ({ base, tiers: [] });

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
}

/** Parts lie within their whole: cached and written input within the input. */
export interface PricedTokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  /** Within `cacheWriteTokens`. */
  readonly longCacheWriteTokens: number;
  readonly outputTokens: number;
}

/** What sums of rates may be off by, in micro-USD. */
const rounding = 1e-6;

/** In whole micro-USD, rounded up: no request that costs anything costs nothing. */
export function costOf(price: ModelPrice, tokens: PricedTokens): number {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, longCacheWriteTokens, outputTokens } = tokens;
  const at = (rate: Rate | undefined): number => rateFor(rate ?? price.input, inputTokens);
  const plainInput = inputTokens - cachedInputTokens - cacheWriteTokens;
  const cost =
    plainInput * at(price.input) +
    cachedInputTokens * at(price.cachedInput) +
    (cacheWriteTokens - longCacheWriteTokens) * at(price.cacheWrite) +
    longCacheWriteTokens * at(price.longCacheWrite ?? price.cacheWrite) +
    outputTokens * at(price.output);
  return Math.max(0, Math.ceil(cost - rounding));
}

const rateFor = ({ base, tiers }: Rate, inputTokens: number): number =>
  tiers.findLast(({ above }) => inputTokens > above)?.rate ?? base;

/** The same rate for requests of every size. */
export const flatRate = (base: number): Rate => ({ base, tiers: [] });

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
  /** As the provider adds up, never less than input and output. */
  readonly totalTokens: number;
}

/** What a dialect found; a figure that it does not tell is 0. */
export interface ToldUsage {
  readonly model: string | undefined;
  readonly input: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly longCacheWrite?: number;
  readonly output: number;
  readonly reasoning?: number;
  readonly total?: number;
}

/** Keeps the figures together whatever a provider says: a part is never more than its whole. */
export function createUsage(told: ToldUsage): Usage {
  const { model, input, output } = told;
  const cachedInputTokens = Math.min(told.cachedInput ?? 0, input);
  const cacheWriteTokens = Math.min(told.cacheWrite ?? 0, input - cachedInputTokens);
  return {
    model,
    inputTokens: input,
    cachedInputTokens,
    cacheWriteTokens,
    longCacheWriteTokens: Math.min(told.longCacheWrite ?? 0, cacheWriteTokens),
    outputTokens: output,
    reasoningTokens: Math.min(told.reasoning ?? 0, output),
    totalTokens: Math.max(told.total ?? 0, input + output),
  };
}

/** Dialects tell input and output in different events of a stream, and running totals: the largest figure stands. */
export function mergeUsage(known: Usage | undefined, told: Usage): Usage {
  if (known === undefined) return told;
  const larger = (figure: Exclude<keyof Usage, 'model'>): number => Math.max(known[figure], told[figure]);
  return createUsage({
    model: told.model ?? known.model,
    input: larger('inputTokens'),
    cachedInput: larger('cachedInputTokens'),
    cacheWrite: larger('cacheWriteTokens'),
    longCacheWrite: larger('longCacheWriteTokens'),
    output: larger('outputTokens'),
    reasoning: larger('reasoningTokens'),
    total: larger('totalTokens'),
  });
}

import { flatRate, type ModelPrice } from '@portcullis/core/pricing/model-price';

/** OpenRouter's variants of models that nobody pays for: https://openrouter.ai/docs/guides/routing/model-variants/free */
export const freeSuffix = ':free';

/** How servers on one's own machines name a model: with its size or a file. Who sells tokens does not. */
const localName = /:(?:latest|e?\d{1,4}(?:\.\d{1,3})?[bm](?:-[\w.]{1,40}){0,4})$|\.gguf$/i;

const none = flatRate(0);

/** What is known to cost nothing, as against what has no price. */
export const freePrice: ModelPrice = {
  input: none,
  cachedInput: undefined,
  cacheWrite: undefined,
  longCacheWrite: undefined,
  output: none,
};

interface Seller {
  /** Of the target's address, where the price library knows it. */
  readonly host: string | undefined;
  /** Of the dialect. */
  readonly maker: string | undefined;
}

/** Whether a model runs on its owner's machines, or is given away. */
export const isFree = (model: string, { host, maker }: Seller): boolean =>
  maker === 'ollama' || model.endsWith(freeSuffix) || (host === undefined && localName.test(model));

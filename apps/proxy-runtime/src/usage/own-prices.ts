import { flatRate, type ModelPrice } from '@portcullis/core/pricing/model-price';

const none = flatRate(0);

/** @param usd for a million tokens that are read */
const embedding = (usd: number): ModelPrice => ({
  input: flatRate(usd),
  cachedInput: undefined,
  cacheWrite: undefined,
  longCacheWrite: undefined,
  output: none,
});

/** @param usd for a thousand searches: a request is one, with up to a hundred documents */
const reranking = (usd: number): ModelPrice => ({
  ...embedding(0),
  fees: { webSearch: 0, fileSearch: 0, request: usd * 1_000 },
});

/** Published prices that the price library lacks: https://cohere.com/pricing */
const ownPrices: ReadonlyMap<string, ModelPrice> = new Map([
  ['embed-english-v3.0', embedding(0.1)],
  ['embed-english-light-v3.0', embedding(0.1)],
  ['embed-multilingual-v3.0', embedding(0.1)],
  ['embed-multilingual-light-v3.0', embedding(0.1)],
  ['rerank-english-v3.0', reranking(2)],
  ['rerank-multilingual-v3.0', reranking(2)],
  ['rerank-v3.5', reranking(2)],
]);

/** The price of a model by its name, without the maker that routers put in front of it. */
export const findOwnPrice = (model: string): ModelPrice | undefined =>
  ownPrices.get(model.slice(model.lastIndexOf('/') + 1));

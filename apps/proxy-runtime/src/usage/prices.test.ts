import { describe, expect, test } from '@jest/globals';
import { costOf, flatRate, type ModelPrice } from '@portcullis/core/pricing/model-price';
import { loadLibraryPrices } from './library-prices.ts';
import { createPriceList } from './price-list.ts';
import { createUsage } from './usage.ts';

const openai = { origin: 'https://api.openai.com', provider: 'openai' };
const cohere = { origin: 'https://api.cohere.com', provider: 'cohere' };
const elsewhere = { origin: 'http://10.0.0.7:8000', provider: 'openai' };

const find = await loadLibraryPrices();

describe('the prices of the library', () => {
  /** USD for a million tokens read, and for a million written. */
  const rates = (place: Parameters<typeof find>[0]) => {
    const price = find(place);
    return price && [price.input.base, price.output.base];
  };

  // The published prices of models that are not changed any more.
  test.each([
    ['gpt-4o', openai, [2.5, 10]],
    ['gpt-4o-2024-08-06', openai, [2.5, 10]],
    ['gpt-4o-mini', openai, [0.15, 0.6]],
    ['text-embedding-3-small', openai, [0.02, 0]],
    ['claude-sonnet-4-5', { origin: 'https://api.anthropic.com', provider: 'anthropic' }, [3, 15]],
    ['gemini-2.5-pro', { origin: 'https://generativelanguage.googleapis.com', provider: 'google' }, [1.25, 10]],
    ['gpt-4o', elsewhere, [2.5, 10]],
    ['openai/gpt-4o', elsewhere, [2.5, 10]],
    ['embed-v4.0', cohere, [0.12, 0]],
    ['embed-english-v3.0', cohere, [0.1, 0]],
    ['cohere/embed-multilingual-v3.0', elsewhere, [0.1, 0]],
    ['my-own-model', elsewhere, undefined],
  ])('of %s', (model, place, expected) => {
    expect(rates({ model, ...place })).toEqual(expected);
  });

  test('know what is charged by the search', () => {
    const price = find({ model: 'rerank-v3.5', ...cohere, provider: undefined });
    expect(price && costOf(price, createUsage({ model: undefined, input: 5_000, output: 10 }))).toBe(2_000);
  });

  test('know caches and long requests', () => {
    const price = find({ model: 'claude-sonnet-4-5', origin: 'https://api.anthropic.com', provider: undefined });
    const cost = (told: Parameters<typeof createUsage>[0]) => price && costOf(price, createUsage(told));
    const model = undefined;
    expect(cost({ model, input: 1_000, cachedInput: 1_000, output: 0 })).toBe(300);
    expect(cost({ model, input: 1_000, cacheWrite: 1_000, output: 0 })).toBe(3_750);
    expect(cost({ model, input: 1_000, cacheWrite: 1_000, longCacheWrite: 1_000, output: 0 })).toBe(6_000);
    expect(cost({ model, input: 300_000, output: 1_000 })).toBe(1_800_000 + 22_500);
  });
});

describe('the price list', () => {
  const priceOf = (input: number): ModelPrice => ({
    input: flatRate(input),
    cachedInput: undefined,
    cacheWrite: undefined,
    longCacheWrite: undefined,
    output: flatRate(0),
  });
  const place = (model: string) => ({ model, ...elsewhere });

  test('takes what is set before the library, the whole name before a beginning, and the longest of those', () => {
    const list = createPriceList({ findLibraryPrice: () => priceOf(1), onUnpriced: () => undefined });
    const overrides = new Map([
      ['gpt-*', priceOf(2)],
      ['gpt-4*', priceOf(3)],
      ['gpt-4o', priceOf(4)],
    ]);
    const rates = ['llama', 'gpt-3', 'gpt-4.1', 'gpt-4o', 'gpt-4o-mini'].map(
      (model) => list.find(place(model), overrides)?.input.base,
    );
    expect(rates).toEqual([1, 2, 3, 4, 3]);
  });

  test('asks the library once an hour for a model, and tells once of one without a price', () => {
    const asked: string[] = [];
    const told: string[] = [];
    let nowMs = 0;
    const list = createPriceList({
      findLibraryPrice: ({ model }) => void asked.push(model),
      onUnpriced: (model) => told.push(model),
      nowMs: () => nowMs,
    });
    for (const laterMs of [0, 1, 3_599_998, 1]) {
      nowMs += laterMs;
      expect(list.find(place('m'), new Map())).toBeUndefined();
    }
    expect([asked, told]).toEqual([['m', 'm'], ['m']]);
  });
});

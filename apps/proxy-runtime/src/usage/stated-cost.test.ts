import { expect, test } from '@jest/globals';
import { readCostHeader, readStatedCost } from './stated-cost.ts';

test.each<[usage: object, usd: number | undefined]>([
  [{ cost: 0.95 }, 0.95],
  [{ cost: 0 }, 0],
  [{ cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } }, 0.75],
  [{ cost: 0.42, is_byok: false, cost_details: { upstream_inference_cost: 0.4 } }, 0.42],
  [{ cost: { input_tokens_cost: 0.1, total_cost: 0.3 } }, 0.3],
  [{ cost_in_usd_ticks: 37_756_000 }, 0.003_775_6],
  [{ cost: -1 }, undefined],
  [{ cost: '1' }, undefined],
  [{ cost: Number.POSITIVE_INFINITY }, undefined],
  [{ cost: null }, undefined],
  [{}, undefined],
])('%j states %d', (usage, usd) => {
  expect(readStatedCost(usage)).toBe(usd);
});

test.each<[header: string | undefined, microUsd: number | undefined]>([
  ['0.0042', 4_200],
  ['3.45e-05', 35],
  ['0.0', 0],
  ['None', undefined],
  ['', undefined],
  ['-1', undefined],
  ['Infinity', undefined],
  ['1e9', undefined],
  ['0x10', undefined],
  [undefined, undefined],
])('LiteLLM states %j in its header: %d', (header, microUsd) => {
  expect(readCostHeader(header === undefined ? {} : { 'x-litellm-response-cost': header })).toBe(microUsd);
});

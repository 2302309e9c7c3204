import { costOf, type ModelPrice } from '@portcullis/core/pricing/model-price';
import type { Exchange } from '../exchange/exchange.ts';
import { property } from '@portcullis/core/json/json-value';
import { createUsage } from '../usage/usage.ts';

const bytesPerToken = 4;
/** A request with pictures is long and has few tokens: no length is taken for more than this. */
const maxInputTokens = 50_000;
/** Taken for the output of a model of which nothing was seen yet, where the request sets no limit. */
const firstGuess = 500;
/** Weight of the past against what was seen last. */
const memory = 16;
const maxModels = 2_000;

/** Where dialects say how much may be written. */
const outputLimits = [
  ['max_completion_tokens'],
  ['max_tokens'],
  ['max_output_tokens'],
  ['generationConfig', 'maxOutputTokens'],
  ['generation_config', 'max_output_tokens'],
  ['inferenceConfig', 'maxTokens'],
] as const;

/** Guesses what exchanges will cost, from how much each model has written of late. */
export class CostEstimator {
  readonly #written = new Map<string, number>();

  /** In micro-USD, before anything is known of the answer. */
  estimate({ body, json, model = '' }: Exchange, price: ModelPrice): number {
    const input = Math.min(maxInputTokens, Math.ceil(body.bytes.length / bytesPerToken));
    const limit = findOutputLimit(json);
    const output = Math.min(limit ?? Number.POSITIVE_INFINITY, this.#written.get(model) ?? limit ?? firstGuess);
    return costOf(price, createUsage({ model, input, output: Math.ceil(output) }));
  }

  /** @param model as the request named it */
  learn(model: string, outputTokens: number): void {
    const before = this.#written.get(model);
    if (before === undefined && this.#written.size >= maxModels) return;
    this.#written.set(model, before === undefined ? outputTokens : before + (outputTokens - before) / memory);
  }
}

function findOutputLimit(json: unknown): number | undefined {
  for (const path of outputLimits) {
    const limit = path.reduce(property, json);
    if (typeof limit === 'number' && limit > 0) return limit;
  }
  return undefined;
}

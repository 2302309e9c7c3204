import { property } from '@portcullis/core/json/json-value';
import type { IncomingHttpHeaders } from 'node:http';

/** A tick of xAI's: https://docs.x.ai/developers/cost-tracking */
const ticksPerUsd = 10_000_000_000;

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/**
 * What a vendor says that an exchange cost, in USD: OpenRouter, whose own fee it is where a key of the caller's paid the rest
 * (https://openrouter.ai/docs/use-cases/usage-accounting), Perplexity as a sum of parts, xAI in ticks.
 */
export function readStatedCost(usage: unknown): number | undefined {
  const ticks = amount(property(usage, 'cost_in_usd_ticks'));
  if (ticks !== undefined) return ticks / ticksPerUsd;
  const cost = property(usage, 'cost');
  if (cost === undefined || cost === null) return undefined;
  const total = amount(cost) ?? amount(property(cost, 'total_cost'));
  if (total === undefined || property(usage, 'is_byok') !== true) return total;
  return total + (amount(property(property(usage, 'cost_details'), 'upstream_inference_cost')) ?? 0);
}

export const microPerUsd = 1_000_000;
/** More than any exchange costs, in USD. */
const mostStated = 100_000;

/** As records have it; undefined for what no exchange costs. */
export const statedMicroUsd = (usd: number | undefined): number | undefined =>
  usd === undefined || usd > mostStated ? undefined : Math.round(usd * microPerUsd);

const decimal = /^\d{1,12}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?$/i;

/** What LiteLLM says in a header that an exchange cost, in micro-USD: https://docs.litellm.ai/docs/proxy/response_headers */
export function readCostHeader(headers: IncomingHttpHeaders): number | undefined {
  const stated = headers['x-litellm-response-cost'];
  return typeof stated === 'string' && decimal.test(stated) ? statedMicroUsd(Number(stated)) : undefined;
}

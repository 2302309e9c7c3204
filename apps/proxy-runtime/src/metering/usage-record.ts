import type { UsageRecord } from '@portcullis/contracts/records';
import { costOf } from '@portcullis/core/pricing/model-price';
import type { Exchange } from '../exchange/exchange.ts';
import { freeSuffix } from '../usage/free-models.ts';
import type { PriceList } from '../usage/price-list.ts';
import type { Usage } from '../usage/usage.ts';

/** What an exchange took of a model, and what that costs. */
export function usageRecord(
  exchange: Exchange,
  usage: Usage,
  { kind, prices }: { readonly kind: UsageRecord['kind']; readonly prices: PriceList },
): UsageRecord {
  // Most answers tell the model that was asked for, in a text of their own that would have to be hashed anew.
  const { model: asked } = exchange;
  const isAsked = usage.model === undefined || usage.model === asked || `${usage.model}${freeSuffix}` === asked;
  const model = isAsked ? (asked ?? 'unknown') : (usage.model ?? 'unknown');
  const place = { model, origin: exchange.proxy.target.origin, provider: exchange.dialect.provider };
  const price = prices.find(place, exchange.snapshot.pricing.overrides);
  return {
    kind,
    event_id: exchange.eventId,
    timestamp: exchange.timestamp,
    request_id: exchange.id,
    proxy_id: exchange.proxy.id,
    api_key_id: exchange.key?.id ?? null,
    user_group_id: exchange.group?.id ?? null,
    user_id: exchange.user?.id,
    protocol: exchange.dialect.name,
    model,
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens || undefined,
    cache_write_tokens: usage.cacheWriteTokens || undefined,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens || undefined,
    total_tokens: usage.totalTokens,
    cost_micro_usd: price === undefined ? 0 : costOf(price, usage),
    priced: price !== undefined,
    estimated: kind !== 'usage',
    session_id: exchange.sessionId,
    stated_cost_micro_usd: usage.statedCostMicroUsd ?? statedInHeader(exchange),
  };
}

/** The headers of a stream leave before there is anything to count. */
const statedInHeader = ({ streamForm, statedCostMicroUsd }: Exchange): number | undefined =>
  streamForm === undefined ? statedCostMicroUsd : undefined;

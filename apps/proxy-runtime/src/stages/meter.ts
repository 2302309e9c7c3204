import { randomUUIDv7 } from 'node:crypto';
import type { SpoolRecord, UsageRecord } from '@portcullis/contracts/records';
import { costOf } from '@portcullis/core/pricing/model-price';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { estimateUsage } from '../usage/estimate-usage.ts';
import type { PriceList } from '../usage/price-list.ts';
import type { TokenCounter } from '../usage/token-counter.ts';
import type { Usage } from '../usage/usage.ts';

export interface MeterParts {
  readonly prices: PriceList;
  readonly counter: TokenCounter;
  /** Takes what is known only after the exchange has ended. */
  readonly appendLate: (records: readonly SpoolRecord[]) => void;
  readonly onUsage: (record: UsageRecord) => void;
}

/**
 * Whether a model worked for an exchange that tells nothing of it: one that was refused or failed before its
 * target answered did not, one whose client left while waiting did.
 */
const reachedModel = ({ targetStatus, ending, protocol, streamed }: Exchange): boolean => {
  if (targetStatus === undefined || targetStatus >= 400) return false;
  // Whatever has no dialect may be anything; what streams texts is taken for a model.
  if (protocol.name === 'any-json') return streamed.characters > 0;
  return targetStatus > 0 || ending?.reason === 'client_closed';
};

/** Dialects tell running totals, and what was told before a stream broke off may be the first of them. */
const mayBePartial = ({ ending, streamed }: Exchange): boolean => ending !== undefined && streamed.characters > 0;

/** Records the tokens of an exchange that reached a model and what they cost, also when it ended half way. */
export const createMeter = ({ prices, counter, appendLate, onUsage }: MeterParts): SettleStage<Exchange> => {
  const account = (exchange: Exchange, usage: Usage, kind: UsageRecord['kind']): UsageRecord => {
    const model = usage.model ?? exchange.model ?? 'unknown';
    const place = { model, origin: exchange.proxy.target.origin, protocol: exchange.protocol.name };
    const price = prices.find(place, exchange.snapshot.pricing.overrides);
    return {
      kind,
      event_id: randomUUIDv7(),
      timestamp: exchange.timestamp,
      request_id: exchange.id,
      proxy_id: exchange.proxy.id,
      api_key_id: exchange.key?.id ?? null,
      user_group_id: exchange.group?.id ?? null,
      protocol: exchange.protocol.name,
      model,
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      output_tokens: usage.outputTokens,
      reasoning_tokens: usage.reasoningTokens,
      total_tokens: usage.totalTokens,
      cost_micro_usd: price === undefined ? 0 : costOf(price, usage),
      priced: price !== undefined,
      estimated: kind !== 'usage',
    };
  };

  /** A rough figure leaves with the other records: who is killed before the tokens are counted keeps that. */
  const estimate = async (exchange: Exchange): Promise<number> => {
    const { rough, counted } = estimateUsage(exchange, counter);
    const first = account(exchange, rough, 'usage_rough');
    exchange.records.push(first);
    const record = { ...account(exchange, await counted, 'usage_counted'), event_id: first.event_id };
    onUsage(record);
    appendLate([record]);
    return record.cost_micro_usd;
  };

  return {
    name: 'meter',
    on: ['llm'],
    run(exchange) {
      // Whoever asks for an answer that is kept is told again what it took.
      if (exchange.request.method !== 'POST') return;
      const told = exchange.usage;
      if (told !== undefined && !mayBePartial(exchange)) {
        const record = account(exchange, told, 'usage');
        onUsage(record);
        exchange.records.push(record);
        exchange.cost = record.cost_micro_usd;
      } else if (told !== undefined || reachedModel(exchange)) {
        exchange.cost = estimate(exchange);
      }
    },
  };
};

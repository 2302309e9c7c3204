import type { SpoolRecord, UsageRecord } from '@portcullis/contracts/records';
import { costOf } from '@portcullis/core/pricing/model-price';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { openaiResponses } from '../dialects/openai/responses.ts';
import type { Exchange } from '../exchange.ts';
import { identityOf, type BackgroundWork } from '../usage/background-work.ts';
import { isPossible } from '../usage/is-possible.ts';
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
  /** Told of figures that cannot be; they are estimated instead. */
  readonly onImpossible?: (proxyId: number, usage: Usage) => void;
}

/**
 * Whether a model worked for an exchange that tells nothing of it: one that was refused or failed before its
 * target answered did not, one whose client left while waiting did.
 */
const reachedModel = ({ targetStatus, ending, dialect, streamed }: Exchange): boolean => {
  if (targetStatus === undefined || targetStatus >= 400) return false;
  // Whatever has no dialect may be anything; what streams texts is taken for a model.
  if (dialect.provider === undefined || dialect.isKept === true) return streamed.characters > 0;
  return targetStatus > 0 || ending?.reason === 'client_closed';
};

/** Dialects tell running totals, and what was told before a stream broke off may be the first of them. */
const mayBePartial = ({ ending, streamed }: Exchange): boolean => ending !== undefined && streamed.characters > 0;

/** Answers of the background that are remembered as counted, so that fetching them again records nothing. */
const maxRemembered = 10_000;

/** Records the tokens of an exchange that reached a model and what they cost, also when it ended half way. */
export const createMeter = ({
  prices,
  counter,
  appendLate,
  onUsage,
  onImpossible = () => undefined,
}: MeterParts): SettleStage<Exchange> => {
  const account = (exchange: Exchange, usage: Usage, kind: UsageRecord['kind']): UsageRecord => {
    // Most answers tell the model that was asked for, in a text of their own that would have to be hashed anew.
    const { model: asked } = exchange;
    const model = usage.model === undefined || usage.model === asked ? (asked ?? 'unknown') : usage.model;
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

  /** What a target cannot have meant is estimated, and marked as that, so that it neither spends a budget nor saves one. */
  const dropImpossible = (exchange: Exchange): void => {
    const { usage, proxy } = exchange;
    if (usage === undefined || isPossible(usage, exchange)) return;
    onImpossible(proxy.id, usage);
    exchange.usage = undefined;
  };

  const counted = new Set<string>();

  /**
   * What is written in the background is estimated by its request when it is asked for, and counted once by
   * whatever shows it finished, whoever asks. Budgets hear of the latter from the records.
   */
  const accountBackground = (exchange: Exchange, work: BackgroundWork): void => {
    const { usage, proxy, request, targetStatus = 0 } = exchange;
    const identity = identityOf(work, proxy.target.origin);
    const creates = request.method === 'POST' && exchange.dialect.isKept !== true;
    if (targetStatus >= 400 || counted.has(identity.event_id) || (usage === undefined && !creates)) return;
    const tokens = usage ?? estimateUsage(exchange, counter).rough;
    const known = account(exchange, tokens, usage === undefined ? 'usage_rough' : 'usage_counted');
    const record = { ...known, ...identity, protocol: openaiResponses.name, estimated: usage === undefined };
    exchange.records.push(record);
    if (creates) exchange.cost = record.cost_micro_usd;
    if (usage === undefined) return;
    if (counted.size >= maxRemembered) counted.clear();
    counted.add(identity.event_id);
    onUsage(record);
  };

  return {
    name: 'meter',
    run(exchange) {
      dropImpossible(exchange);
      if (exchange.background !== undefined) return accountBackground(exchange, exchange.background);
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

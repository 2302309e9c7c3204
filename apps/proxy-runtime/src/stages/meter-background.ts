import type { UsageRecord } from '@portcullis/contracts/records';
import { openaiResponses } from '../dialects/openai/responses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { identityOf, type BackgroundWork } from '../usage/background-work.ts';
import { estimateUsage } from '../metering/estimate-usage.ts';
import type { PriceList } from '../usage/price-list.ts';
import type { TokenCounter } from '../metering/token-counter.ts';
import { usageRecord } from '../metering/usage-record.ts';

export interface BackgroundMeterParts {
  readonly prices: PriceList;
  readonly counter: TokenCounter;
  readonly onUsage: (record: UsageRecord) => void;
}

/** Answers of the background that are remembered as counted, so that fetching them again records nothing. */
const maxRemembered = 10_000;

/**
 * What is written in the background is estimated by its request when it is asked for, and counted once by the exchange
 * that shows it finished, of whichever caller. Budgets hear of the latter from the records.
 */
export function createMeterBackground({
  prices,
  counter,
  onUsage,
}: BackgroundMeterParts): (exchange: Exchange, work: BackgroundWork) => void {
  const counted = new Set<string>();
  return (exchange, work) => {
    const { usage, proxy, request, targetStatus = 0 } = exchange;
    const identity = identityOf(work, proxy.target.origin);
    const creates = request.method === 'POST' && exchange.dialect.isStored !== true;
    if (targetStatus >= 400 || counted.has(identity.event_id) || (usage === undefined && !creates)) return;
    const tokens = usage ?? estimateUsage(exchange, counter).rough;
    const known = usageRecord(exchange, tokens, {
      kind: usage === undefined ? 'usage_rough' : 'usage_counted',
      prices,
    });
    const record = { ...known, ...identity, protocol: openaiResponses.name, estimated: usage === undefined };
    exchange.records.push(record);
    if (creates) exchange.cost = record.cost_micro_usd;
    if (usage === undefined) return;
    if (counted.size >= maxRemembered) counted.clear();
    counted.add(identity.event_id);
    onUsage(record);
  };
}

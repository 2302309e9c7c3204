import type { SpoolRecord } from '@portcullis/contracts/records';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { asksModel } from '../metering/asks-model.ts';
import { isPossible } from '../usage/is-possible.ts';
import { estimateUsage } from '../metering/estimate-usage.ts';
import type { Usage } from '../usage/usage.ts';
import { usageRecord } from '../metering/usage-record.ts';
import { createMeterBackground, type BackgroundMeterParts } from './meter-background.ts';

export interface MeterParts extends BackgroundMeterParts {
  /** Takes what is known only after the exchange has ended. */
  readonly appendLate: (records: readonly SpoolRecord[]) => void;
  /** Told of figures that cannot be; they are estimated instead. */
  readonly onImpossible?: (proxyId: number, usage: Usage) => void;
}

/**
 * Whether a model worked for an exchange that tells nothing of it: one that was refused or failed before its
 * target answered did not, one whose client left while waiting did.
 */
const reachedModel = (exchange: Exchange): boolean => {
  const { targetStatus, ending, dialect, streamed } = exchange;
  if (targetStatus === undefined || targetStatus >= 400) return false;
  const isKnown = dialect.provider !== undefined && dialect.isStored !== true;
  // What has no dialect may be anything; what is asked as a model is, or streams texts, is taken for one.
  if (!isKnown && !asksModel(exchange)) return streamed.characters > 0;
  return targetStatus > 0 || ending?.reason === 'client_closed';
};

/** Dialects tell running totals, and what was told before a stream broke off may be the first of them. */
const mayBePartial = ({ ending, streamed }: Exchange): boolean => ending !== undefined && streamed.characters > 0;

/** Records the tokens of an exchange that reached a model and what they cost, also when it ended half way. */
export const createMeter = (parts: MeterParts): SettleStage<Exchange> => {
  const { prices, counter, appendLate, onUsage, onImpossible = () => undefined } = parts;
  const meterBackground = createMeterBackground(parts);

  /** A rough figure leaves with the other records: who is killed before the tokens are counted keeps that. */
  const estimate = async (exchange: Exchange): Promise<number> => {
    const { rough, counted } = estimateUsage(exchange, counter);
    const first = usageRecord(exchange, rough, { kind: 'usage_rough', prices });
    exchange.records.push(first);
    const record = {
      ...usageRecord(exchange, await counted, { kind: 'usage_counted', prices }),
      event_id: first.event_id,
    };
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

  return {
    name: 'meter',
    run(exchange) {
      dropImpossible(exchange);
      if (exchange.background !== undefined) return meterBackground(exchange, exchange.background);
      // A client that asks for a kept answer is told again what it took.
      if (exchange.request.method !== 'POST') return;
      const told = exchange.usage;
      if (told !== undefined && !mayBePartial(exchange)) {
        const record = usageRecord(exchange, told, { kind: 'usage', prices });
        onUsage(record);
        exchange.records.push(record);
        exchange.cost = record.cost_micro_usd;
      } else if (told !== undefined || reachedModel(exchange)) {
        exchange.cost = estimate(exchange);
      }
    },
  };
};

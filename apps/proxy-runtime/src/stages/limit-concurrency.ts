import { deny, next, type RequestStage, type SettleStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { Slots } from './proxy-slots.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** Takes one of the proxy's places, where their number is limited, before anything is received of the body. */
export const createLimitConcurrency = (slots: Slots): RequestStage<Exchange> => ({
  name: 'limit-concurrency',
  run(exchange) {
    const { id, maxConcurrent } = exchange.proxy;
    if (maxConcurrent === 0) return next;
    const judge = (taken: boolean): Verdict => {
      exchange.holdsSlot = taken;
      return taken ? next : deny('proxy_busy', { headers: { 'retry-after': '1' } });
    };
    const taken = slots.take(id, maxConcurrent);
    return typeof taken === 'boolean' ? judge(taken) : taken.then(judge);
  },
});

/** Gives the place back, however the exchange ended. */
export const createFreeSlot = (slots: Slots): SettleStage<Exchange> => ({
  name: 'free-slot',
  run(exchange) {
    if (!exchange.holdsSlot) return;
    exchange.holdsSlot = false;
    slots.free(exchange.proxy.id);
  },
});

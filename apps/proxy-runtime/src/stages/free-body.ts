import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import type { Exchange } from '../exchange/exchange.ts';

/** Gives back the memory that a large body took, however the exchange ended. */
export const createFreeBody = (memory: FairShare): SettleStage<Exchange> => ({
  name: 'free-body',
  run(exchange) {
    if (exchange.heldBytes === 0) return;
    memory.give(exchange.key?.id ?? 0, exchange.heldBytes);
    exchange.heldBytes = 0;
  },
});

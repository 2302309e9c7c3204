import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { renderCheck } from '../guardrails/render-checks.ts';

/** Records what the providers said so far; what they say later is recorded when they do. */
export const recordGuardrails: SettleStage<Exchange> = {
  name: 'record-guardrails',
  run(exchange) {
    for (const check of exchange.guardrails?.settle() ?? []) exchange.records.push(...renderCheck(exchange, check));
  },
};

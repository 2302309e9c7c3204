import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/**
 * Makes a stream tell its usage where the dialect leaves that to the client. A client that did not ask never
 * sees the event that tells it.
 */
export const askForUsage: RequestStage<Exchange> = {
  name: 'ask-for-usage',
  on: ['llm'],
  onFault: 'degrade',
  run(exchange) {
    if (exchange.json === undefined) return next;
    const body = exchange.protocol.askForUsage?.(exchange.body, exchange.json);
    if (body === undefined) return next;
    exchange.body = body;
    exchange.hidesUsage = true;
    return next;
  },
};

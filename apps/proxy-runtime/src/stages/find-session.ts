import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { RenderSessionId } from '@portcullis/platform/traffic/session-ids';
import type { Exchange } from '../exchange/exchange.ts';
import { findSessionSign } from '../exchange/session-sign.ts';

/** Finds the task that the request belongs to, before anything in it is changed. */
export const createFindSession = (render: RenderSessionId): RequestStage<Exchange> => ({
  name: 'find-session',
  run(exchange) {
    const sign = findSessionSign(exchange);
    if (sign !== undefined) exchange.sessionId = render(sign, exchange);
    return next;
  },
});

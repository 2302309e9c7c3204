import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { findContradiction } from '../mcp/mirrored-headers.ts';

/** Refuses a message of MCP whose headers say something else than its body. */
export const checkHeaders: RequestStage<Exchange> = {
  name: 'check-headers',
  run(exchange) {
    if (exchange.json === undefined) return next;
    const header = findContradiction(exchange.request.headers, exchange.json);
    return header === undefined ? next : deny('header_mismatch', { message: `${header} contradicts the message` });
  },
};

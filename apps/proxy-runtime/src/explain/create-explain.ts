import type { Exchange } from '../exchange/exchange.ts';
import { explainHeader } from '../target/target-request.ts';
import { createAdminCheck } from './admin-token.ts';
import { renderExplanation } from './explanation.ts';

/** Explains decisions to admins who ask with their login token in the header of that name. */
export function createExplain(secret: string, previous?: string): (exchange: Exchange) => string | undefined {
  const isAdmin = createAdminCheck(secret, previous);
  return (exchange) => {
    const given = exchange.request.headers[explainHeader];
    const header = typeof given === 'string' ? given : undefined;
    return isAdmin(header, exchange.receivedAt) ? renderExplanation(exchange) : undefined;
  };
}

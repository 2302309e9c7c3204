import { knownMethods } from '@portcullis/core/mcp/known-methods';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

/**
 * Lets methods through that the proxy allows; where it names none, those of the specification. What an unknown one does no
 * policy can tell, so it is refused where one enforces something. Comes behind the policies: what they find is told all the same.
 */
export const checkMethods: RequestStage<Exchange> = {
  name: 'check-methods',
  run({ json, proxy }) {
    const { allowedMethods, policies } = proxy;
    if (json === undefined || (allowedMethods === undefined && policies?.enforces !== true)) return next;
    const allowed = allowedMethods ?? knownMethods;
    return callsOf(json).every(({ method }) => allowed.has(method)) ? next : deny('unknown_method');
  },
};

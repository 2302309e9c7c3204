import { callsOf } from '@portcullis/core/mcp/rpc-message';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { isStateless } from '../mcp/protocol-revision.ts';
import type { SessionSeals } from '../mcp/session-seals.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

/** Servers of the revision without sessions are not to look at the header. Clients that begin anew, or speak of no sessions at all, may still name the one that is over. */
const isLeftOver = ({ request, json }: Exchange): boolean =>
  isStateless(request.headers) || callsOf(json).some(({ method }) => method === 'initialize');

/** Finds the target's session in the id that its client was given, and refuses what was given to another key. */
export const createFollowSession = (seals: SessionSeals): RequestStage<Exchange> => ({
  name: 'follow-session',
  run(exchange) {
    const { request, proxy } = exchange;
    const keyId = callerNumber(exchange);
    const given = request.headers['mcp-session-id'];
    if (given === undefined || keyId === undefined) return next;
    const opened = seals.open({ proxyId: proxy.id, keyId }, String(given));
    if (opened.kind === 'own') {
      exchange.session = opened.value;
      return next;
    }
    if (opened.kind === 'foreign') return deny('session_foreign');
    // Where no policy is to look at it, it goes no further and changes nothing.
    return isLeftOver(exchange) ? next : deny('session_unknown');
  },
});

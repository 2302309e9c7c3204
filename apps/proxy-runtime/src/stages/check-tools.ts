import { callsOf } from '@portcullis/core/mcp/rpc-message';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { takeFromLimit, type LimitStores } from '@portcullis/platform/traffic/limit-rate';
import type { Exchange } from '../exchange/exchange.ts';
import { describeScope } from '@portcullis/core/identity/name-scope';
import { findBarrier, isEnforced } from '../tools/tool-barrier.ts';
import type { ToolCall } from '../exchange/tool-call.ts';
import type { ToolWatch } from '../tools/tool-watch.ts';
import { limitOn } from './find-limit.ts';

/** More calls in one batch than anybody makes. */
const maxCalls = 100;

/**
 * Lets calls of tools through that the caller may use. One that is hidden is answered like one that does
 * not exist, and a batch with one such call is refused as a whole: its other calls may build on it.
 */
export const createCheckTools = (watch: ToolWatch, limits: LimitStores): RequestStage<Exchange> => ({
  name: 'check-tools',
  run(exchange) {
    const { tools } = exchange.proxy;
    if (tools === undefined) return next;
    exchange.toolCalls = readCalls(exchange, watch);
    if (exchange.toolCalls.length === 0) return next;
    if (exchange.toolCalls.length > maxCalls) {
      return deny('bad_request', { message: `A batch may call at most ${maxCalls} tools` });
    }
    const outside = exchange.toolCalls.find(({ barrier }) => barrier === 'key-scope');
    if (outside !== undefined && exchange.key?.tools !== undefined) {
      return deny('scope_denied', { message: describeScope('allowed_tools', exchange.key.tools, outside.name) });
    }
    if (exchange.toolCalls.some(({ barrier }) => isEnforced(barrier, tools.filtering))) {
      return deny('unknown_tool');
    }
    return limitCalls(exchange, limits, 0);
  },
});

const readCalls = (exchange: Exchange, watch: ToolWatch): readonly ToolCall[] =>
  callsOf(exchange.json)
    .filter(({ method }) => method === 'tools/call')
    .map(({ id, params }) => {
      const name = typeof params?.['name'] === 'string' ? params['name'] : undefined;
      return { id, name, barrier: findBarrier(exchange, name, watch), limited: false, failed: false };
    });

/** Takes a token for each call whose tool has a limit, from the bucket of this key and tool. */
function limitCalls(exchange: Exchange, limits: LimitStores, first: number): Verdict | Promise<Verdict> {
  const { toolCalls, proxy, access, key } = exchange;
  for (let index = first; index < toolCalls.length; index += 1) {
    const call = toolCalls[index] as ToolCall;
    const tool = call.name === undefined ? undefined : proxy.tools?.byName.get(call.name);
    if (call.name === undefined || tool === undefined) continue;
    const limit = access?.tools?.limitFor(call.name) ?? tool.rateLimit;
    if (limit === 0) continue;
    const judge = (verdict: Verdict): Verdict => {
      call.limited = verdict.kind !== 'next';
      return verdict;
    };
    const name = `tool-${proxy.id}-${tool.id}-${key?.id}`;
    const verdict = takeFromLimit(exchange, limits, limitOn(proxy, name, limit));
    if (verdict instanceof Promise) {
      return verdict.then((late) => (judge(late).kind === 'next' ? limitCalls(exchange, limits, index + 1) : late));
    }
    if (judge(verdict).kind !== 'next') return verdict;
  }
  return next;
}

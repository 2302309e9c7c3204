import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Invocation } from '../invoke/invocation.ts';

/** Tells an agent, and this gateway when the agent calls back, how often a call went through it already. */
export const hopHeader = 'x-portcullis-hops';

/** Agents that call each other through the gateway go on for as long as their models want to. */
const maxHops = 8;

export function hopsOf({ request }: Pick<Invocation, 'request'>): number {
  const { [hopHeader]: told, tracestate } = request.headers;
  const traced = /(?:^|,)\s*portcullis=(\d{1,3})\s*(?:,|$)/.exec(String(tracestate ?? ''))?.[1];
  const direct = typeof told === 'string' && /^\d{1,3}$/.test(told) ? told : '0';
  return Math.max(Number(direct), Number(traced ?? 0));
}

/** Ends loops of agents that call each other through the gateway. */
export const checkHops: RequestStage<Invocation> = {
  name: 'check-hops',
  run: (invocation) =>
    hopsOf(invocation) < maxHops ? next : deny('agent_loop', { message: `At most ${maxHops} agents in a row` }),
};

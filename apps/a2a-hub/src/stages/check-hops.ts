import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Invocation } from '../invocation/invocation.ts';

/** Counts how often a call went through a gateway already, for agents that call each other. */
export const hopHeader = 'x-portcullis-hops';

/** Agents that call each other through the gateway go on for as long as their models want to. */
const maxHops = 8;

export function hopsOf({ request }: Pick<Invocation, 'request'>): number {
  const { [hopHeader]: hops, tracestate } = request.headers;
  const traced = /(?:^|,)\s*portcullis=(\d{1,3})\s*(?:,|$)/.exec(String(tracestate ?? ''))?.[1];
  const direct = typeof hops === 'string' && /^\d{1,3}$/.test(hops) ? hops : '0';
  return Math.max(Number(direct), Number(traced ?? 0));
}

/** Ends loops of agents that call each other through the gateway. */
export const checkHops: RequestStage<Invocation> = {
  name: 'check-hops',
  run: (invocation) =>
    hopsOf(invocation) < maxHops ? next : deny('agent_loop', { message: `At most ${maxHops} agents in a row` }),
};

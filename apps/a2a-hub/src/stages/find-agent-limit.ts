import type { RateLimit } from '@portcullis/platform/traffic/limit-rate';
import type { Invocation } from '../invocation/invocation.ts';

/** Only what has an agent work counts: reading tasks is free. */
const counted: ReadonlySet<string> = new Set(['send', 'stream']);

/**
 * The limit of a call: that of its user group with the agent, or that of admins, of whom each has a window of their own.
 * @param adminPerMinute 0 is no limit
 */
export const createFindAgentLimit =
  (adminPerMinute: number) =>
  (invocation: Invocation): RateLimit<number> | undefined => {
    const { proxy, owner, user, access, call } = invocation;
    const perMinute = user?.role === 'admin' ? adminPerMinute : (access?.perMinute ?? 0);
    if (!counted.has(call.operation)) return undefined;
    invocation.rateLimit = perMinute;
    if (perMinute === 0) return undefined;
    return { name: `agent-${proxy.id}-${owner}`, perMinute, rule: perMinute, denyWithoutStore: false };
  };

import type { SupervisorChannel } from './worker-messages.ts';
import type { Slots } from '../stages/proxy-slots.ts';

/** Places counted by the supervising process, for all its workers. */
export function createChannelSlots(channel: SupervisorChannel): Slots {
  const waiting = new Map<number, (taken: boolean) => void>();
  let calls = 0;
  channel.onAnswer(({ call, taken }) => {
    waiting.get(call)?.(taken);
    waiting.delete(call);
  });
  return {
    take(proxyId, limit) {
      calls += 1;
      const call = calls;
      channel.send({ kind: 'take slot', call, proxyId, limit });
      return new Promise((resolve) => waiting.set(call, resolve));
    },
    free: (proxyId) => channel.send({ kind: 'free slot', proxyId }),
  };
}

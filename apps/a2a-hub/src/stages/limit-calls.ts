import { deny, next, type RequestStage, type SettleStage } from '@portcullis/core/pipeline/stage';
import type { Invocation } from '../invocation/invocation.ts';

/** Calls under way, by their owner, in this process. */
export class CallSlots {
  readonly #taken = new Map<string, number>();
  readonly #maxPerOwner: number;

  constructor(maxPerOwner: number) {
    this.#maxPerOwner = maxPerOwner;
  }

  take(owner: string): boolean {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.#maxPerOwner) return false;
    this.#taken.set(owner, taken + 1);
    return true;
  }

  free(owner: string): void {
    const left = (this.#taken.get(owner) ?? 1) - 1;
    if (left === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, left);
  }
}

/** Refuses a caller whose group has too many calls under way: streams without end are calls too. */
export const createLimitCalls = (slots: CallSlots): RequestStage<Invocation> => ({
  name: 'limit-calls',
  run(invocation) {
    const { owner = '' } = invocation;
    invocation.holdsSlot = slots.take(owner);
    return invocation.holdsSlot ? next : deny('agent_calls_exceeded', { headers: { 'retry-after': '1' } });
  },
});

/** Gives the place back, however the call ended. */
export const createFreeCall = (slots: CallSlots): SettleStage<Invocation> => ({
  name: 'free-call',
  run(invocation) {
    if (!invocation.holdsSlot) return;
    invocation.holdsSlot = false;
    slots.free(invocation.owner ?? '');
  },
});

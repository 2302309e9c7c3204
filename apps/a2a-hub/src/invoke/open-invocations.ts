import { setTimeout as wait } from 'node:timers/promises';
import type { Invocation } from '../invocation/invocation.ts';
import type { InvocationWriter } from '../invocation/invocation-writer.ts';

/** Calls under way, for the end of their process. */
export class OpenInvocations {
  readonly #open = new Map<Invocation, InvocationWriter>();
  /** What still happens for calls, some of which are answered already. */
  readonly #work = new Set<Promise<void>>();

  add(invocation: Invocation, writer: InvocationWriter): void {
    this.#open.set(invocation, writer);
  }

  settled(invocation: Invocation): void {
    this.#open.delete(invocation);
  }

  follow(work: Promise<void>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /** Waits for those under way, breaks off what is left then, each with a word to its caller, and waits for the rest. */
  async end(drainMs: number): Promise<void> {
    const deadline = performance.now() + drainMs;
    while (this.#open.size > 0 && performance.now() < deadline) await wait(20);
    for (const [invocation, writer] of this.#open) {
      writer.fail({ reason: 'service_unavailable', message: 'The gateway stops' }, 'forward');
      invocation.caller.abort();
    }
    await Promise.allSettled(this.#work);
  }
}

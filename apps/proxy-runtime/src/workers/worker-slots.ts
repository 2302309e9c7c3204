import { LocalSlots } from '../stages/proxy-slots.ts';

/** The places of all workers, and who has them: a worker that ends gives back what it had. */
export class WorkerSlots {
  readonly #slots = new LocalSlots();
  readonly #held = new Map<number, number[]>();

  take(worker: number, proxyId: number, limit: number): boolean {
    if (!this.#slots.take(proxyId, limit)) return false;
    const held = this.#held.get(worker);
    if (held === undefined) this.#held.set(worker, [proxyId]);
    else held.push(proxyId);
    return true;
  }

  free(worker: number, proxyId: number): void {
    const held = this.#held.get(worker) ?? [];
    const at = held.indexOf(proxyId);
    if (at === -1) return;
    held.splice(at, 1);
    this.#slots.free(proxyId);
  }

  freeAll(worker: number): void {
    for (const proxyId of this.#held.get(worker) ?? []) this.#slots.free(proxyId);
    this.#held.delete(worker);
  }
}

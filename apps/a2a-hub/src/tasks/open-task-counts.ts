import { LruMap } from '@portcullis/core/collections/lru-map';
import type { TaskOwner } from './stored-task.ts';

interface Counted {
  readonly open: number;
  readonly atMs: number;
  /** Messages that were let through since. */
  begun: number;
}

interface OpenTaskCountsParts {
  readonly count: (owner: TaskOwner) => Promise<number>;
  readonly nowMs?: () => number;
}

/** How long a count is good for; other hubs may begin tasks meanwhile. */
const goodForMs = 1_000;
const maxOwners = 1_000;

/**
 * Whether owners may begin one more task. Each message may begin a task and few stay open, so the tasks are counted once
 * a second, and always before a message is refused.
 */
export class OpenTaskCounts {
  readonly #parts: OpenTaskCountsParts;
  readonly #known = new LruMap<Counted>(maxOwners);
  readonly #counting = new Map<TaskOwner, Promise<Counted>>();

  constructor(parts: OpenTaskCountsParts) {
    this.#parts = parts;
  }

  async mayBegin(owner: TaskOwner, max: number): Promise<boolean> {
    const known = this.#known.use(owner)?.value;
    const isGood = known !== undefined && this.#now() - known.atMs < goodForMs;
    return (isGood && take(known, max)) || take(await this.#count(owner), max);
  }

  /** Those who ask at the same time have one count. */
  #count(owner: TaskOwner): Promise<Counted> {
    const known = this.#counting.get(owner);
    if (known !== undefined) return known;
    const counting = this.#load(owner).finally(() => this.#counting.delete(owner));
    this.#counting.set(owner, counting);
    return counting;
  }

  async #load(owner: TaskOwner): Promise<Counted> {
    const atMs = this.#now();
    const counted = { open: await this.#parts.count(owner), atMs, begun: 0 };
    this.#known.set(owner, counted);
    return counted;
  }

  #now(): number {
    return (this.#parts.nowMs ?? (() => performance.now()))();
  }
}

function take(counted: Counted, max: number): boolean {
  if (counted.open + counted.begun >= max) return false;
  counted.begun += 1;
  return true;
}

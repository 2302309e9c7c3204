import { deadJobsKept, finishedIdsKept, type RetryRule } from '../coordination.ts';

/**
 * What happened to a job. Every entry names the outcome and not the step (attempts made so far, not
 * one more), so that applying it twice is the same as once.
 */
export type QueueEntry =
  | { readonly op: 'add'; readonly id: string; readonly payload: unknown; readonly retry: RetryRule }
  | { readonly op: 'start'; readonly id: string; readonly starts: number }
  | { readonly op: 'fail'; readonly id: string; readonly attempts: number; readonly dueAtMs: number }
  | {
      readonly op: 'dead';
      readonly id: string;
      readonly attempts: number;
      readonly reason: string;
      readonly at: string;
    }
  | { readonly op: 'again'; readonly id: string }
  | { readonly op: 'done'; readonly id: string };

export interface JobState {
  readonly id: string;
  readonly payload: unknown;
  readonly retry: RetryRule;
  /** Times it was given out. */
  readonly starts: number;
  /** Attempts that failed. What was started and did not fail went down with its process. */
  readonly attempts: number;
  /** Not before this time, Unix milliseconds; 0 for at once. */
  readonly dueAtMs: number;
}

export interface DeadState extends Pick<JobState, 'id' | 'payload' | 'retry' | 'attempts'> {
  readonly reason: string;
  readonly at: string;
}

/** Everything a queue knows, in memory: the fold of its entries. Maps and sets are in order of arrival. */
export class QueueState {
  readonly jobs = new Map<string, JobState>();
  readonly dead = new Map<string, DeadState>();
  readonly #finished = new Set<string>();

  knows(id: string): boolean {
    return this.jobs.has(id) || this.dead.has(id) || this.#finished.has(id);
  }

  /** Entries about jobs that are elsewhere by now have no effect. */
  apply(entry: QueueEntry): void {
    if (entry.op === 'add') return this.#add(entry);
    if (entry.op === 'again') return this.#revive(entry.id);
    if (entry.op === 'done') return this.#finish(entry.id);
    const job = this.jobs.get(entry.id);
    if (job === undefined) return;
    if (entry.op === 'dead') return this.#bury(job, entry);
    const { op: _, ...change } = entry;
    this.jobs.set(entry.id, { ...job, ...change });
  }

  /** Takes back an `add` that did not reach the disk. */
  forget(id: string): void {
    this.jobs.delete(id);
  }

  /** The shortest list of entries that leads to this state. */
  *entries(): Iterable<QueueEntry> {
    for (const id of this.#finished) yield { op: 'done', id };
    for (const { id, payload, retry, attempts, reason, at } of this.dead.values()) {
      yield { op: 'add', id, payload, retry };
      yield { op: 'dead', id, attempts, reason, at };
    }
    for (const { id, payload, retry, starts, attempts, dueAtMs } of this.jobs.values()) {
      yield { op: 'add', id, payload, retry };
      if (starts > 0) yield { op: 'start', id, starts };
      if (attempts > 0) yield { op: 'fail', id, attempts, dueAtMs };
    }
  }

  #add({ id, payload, retry }: Pick<JobState, 'id' | 'payload' | 'retry'>): void {
    if (!this.knows(id)) this.jobs.set(id, { id, payload, retry, starts: 0, attempts: 0, dueAtMs: 0 });
  }

  #finish(id: string): void {
    this.jobs.delete(id);
    this.#finished.add(id);
    dropOldest(this.#finished, finishedIdsKept);
  }

  #bury({ id, payload, retry }: JobState, { attempts, reason, at }: QueueEntry & { op: 'dead' }): void {
    this.jobs.delete(id);
    this.dead.set(id, { id, payload, retry, attempts, reason, at });
    dropOldest(this.dead, deadJobsKept);
  }

  #revive(id: string): void {
    const buried = this.dead.get(id);
    if (buried === undefined) return;
    this.dead.delete(id);
    this.#add(buried);
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>, maxSize: number): void {
  const oldest = kept.size > maxSize ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
}

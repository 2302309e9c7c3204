import { join } from 'node:path';
import { problemText } from '../../errors/problem.ts';
import type { Logger } from '../../log/logger.ts';
import { maxInterruptions, type DeadJob, type Queue, type QueuedJob, type RetryRule } from '../coordination.ts';
import { PermanentFailure } from '../permanent-failure.ts';
import { jitteredDelayMs } from '../retry-delay.ts';
import { QueueJournal } from './queue-journal.ts';
import type { JobState, QueueEntry, QueueState } from './queue-state.ts';

type Handler = (job: QueuedJob<unknown>) => Promise<void>;

interface Processor {
  readonly handle: Handler;
  readonly concurrency: number;
  readonly running: Set<Promise<void>>;
}

/** A durable queue within one process, journaled under `<dataDirectory>/queues/<name>.jsonl`. */
export class InProcessQueue implements Queue<unknown> {
  readonly #name: string;
  readonly #log: Logger;
  readonly #journal: QueueJournal;
  readonly #state: QueueState;
  /** Jobs that are on their way to the disk. */
  readonly #adding = new Map<string, Promise<void>>();
  readonly #ready = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #inHand = new Set<string>();
  readonly #processors = new Set<Processor>();

  constructor(name: string, dataDirectory: string, log: Logger) {
    this.#name = name;
    this.#log = log;
    this.#journal = new QueueJournal(join(dataDirectory, 'queues', `${name}.jsonl`), log);
    this.#state = this.#journal.state;
    for (const job of this.#state.jobs.values()) this.#schedule(job);
  }

  /** Why the journal could not be written lately; undefined while all is well. */
  get problem(): string | undefined {
    return this.#journal.problem;
  }

  async add(id: string, payload: unknown, retry: RetryRule): Promise<void> {
    if (this.#state.knows(id)) return this.#adding.get(id);
    const added = this.#append({ op: 'add', id, payload: JSON.parse(JSON.stringify(payload ?? null)), retry });
    this.#adding.set(id, added);
    try {
      await added;
    } catch (error) {
      this.#state.forget(id);
      throw error;
    } finally {
      this.#adding.delete(id);
    }
    this.#makeReady(id);
  }

  process(handle: Handler, concurrency: number): AsyncDisposable {
    const processor: Processor = { handle, concurrency, running: new Set() };
    this.#processors.add(processor);
    this.#handOut();
    return { [Symbol.asyncDispose]: () => this.#end(processor) };
  }

  async deadJobs(limit: number): Promise<readonly DeadJob<unknown>[]> {
    const newestFirst = [...this.#state.dead.values()].toReversed().slice(0, limit);
    return newestFirst.map(({ id, payload, attempts, reason, at }) => ({
      id,
      payload: structuredClone(payload),
      attempts,
      reason,
      failedAt: at,
    }));
  }

  async retryDead(id: string): Promise<boolean> {
    if (!this.#state.dead.has(id)) return false;
    try {
      await this.#append({ op: 'again', id });
    } finally {
      this.#makeReady(id);
    }
    return true;
  }

  async counts() {
    return {
      waiting: this.#ready.size,
      active: this.#inHand.size,
      delayed: this.#timers.size,
      dead: this.#state.dead.size,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#processors, (processor) => this.#end(processor)));
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await this.#journal[Symbol.asyncDispose]();
  }

  async #end(processor: Processor): Promise<void> {
    this.#processors.delete(processor);
    await Promise.all(processor.running);
  }

  #handOut(): void {
    for (const processor of this.#processors) {
      while (processor.running.size < processor.concurrency) {
        const job = this.#takeReady();
        if (job === undefined) return;
        const run = this.#run(job, processor.handle).finally(() => {
          processor.running.delete(run);
          this.#handOut();
        });
        processor.running.add(run);
      }
    }
  }

  #takeReady(): JobState | undefined {
    for (const id of this.#ready) {
      this.#ready.delete(id);
      const job = this.#state.jobs.get(id);
      if (job === undefined) continue;
      if (job.starts - job.attempts <= maxInterruptions) return job;
      this.#bury(
        job,
        job.attempts,
        `The process died ${job.starts - job.attempts} times while it had this job in hand`,
      );
    }
    return undefined;
  }

  async #run(job: JobState, handle: Handler): Promise<void> {
    const attempt = job.attempts + 1;
    const lastAttempt = attempt >= job.retry.attempts;
    this.#inHand.add(job.id);
    this.#note({ op: 'start', id: job.id, starts: job.starts + 1 });
    try {
      await handle({ id: job.id, payload: structuredClone(job.payload), attempt, lastAttempt });
      this.#inHand.delete(job.id);
      this.#note({ op: 'done', id: job.id });
    } catch (error) {
      // Out of hand first: a delay that is over already gives the job out again before this returns.
      this.#inHand.delete(job.id);
      if (lastAttempt || error instanceof PermanentFailure) this.#bury(job, attempt, problemText(error));
      else this.#delay(job, attempt);
    }
  }

  #bury(job: JobState, attempts: number, reason: string): void {
    this.#note({ op: 'dead', id: job.id, attempts, reason, at: new Date().toISOString() });
    this.#log.error('A job has failed for good', { queue: this.#name, job: job.id, attempts, reason });
  }

  #delay(job: JobState, attempts: number): void {
    const dueAtMs = Date.now() + jitteredDelayMs(job.retry, attempts);
    this.#note({ op: 'fail', id: job.id, attempts, dueAtMs });
    this.#schedule({ ...job, attempts, dueAtMs });
  }

  #schedule({ id, attempts, retry, dueAtMs }: JobState): void {
    // Never longer than the rule says, even if the clock was set since.
    const waitMs = attempts === 0 ? 0 : Math.min(dueAtMs - Date.now(), jitteredDelayMs(retry, attempts, 1));
    if (waitMs <= 0) return this.#makeReady(id);
    const ready = () => {
      this.#timers.delete(id);
      this.#makeReady(id);
    };
    this.#timers.set(id, setTimeout(ready, waitMs).unref());
  }

  #makeReady(id: string): void {
    this.#ready.add(id);
    this.#handOut();
  }

  /** Applies the entry; resolves when it is on the disk. */
  #append(entry: QueueEntry): Promise<void> {
    this.#state.apply(entry);
    return this.#journal.append(entry, { synced: true });
  }

  /** Applies the entry and lets the journal follow: what a crash or a full disk loses is done again. */
  #note(entry: QueueEntry): void {
    this.#state.apply(entry);
    this.#journal.append(entry, { synced: false }).catch((error: unknown) => {
      this.#log.error('A queue could not be written', { queue: this.#name, problem: problemText(error) });
    });
  }
}

import type { ServiceHealth } from '@portcullis/platform/service/service';
import type { ReportJob } from '../listeners/report-job.ts';
import type { RuntimeReport } from '../listeners/state-reporter.ts';
import { mergeStates } from './merge-states.ts';
import type { WorkerStats } from './worker-stats.ts';
import type { WorkerMessage } from './worker-messages.ts';
import { WorkerSlots } from './worker-slots.ts';

export interface WorkerReportsParts {
  /** Told what all workers together do with the proxies. */
  readonly states: Pick<ReportJob, 'report'>;
  readonly stats: WorkerStats;
}

/** What the workers of a runtime tell of themselves, brought together. */
export class WorkerReports {
  readonly #parts: WorkerReportsParts;
  readonly #states = new Map<number, RuntimeReport>();
  readonly #health = new Map<number, ServiceHealth>();
  readonly #slots = new WorkerSlots();

  constructor(parts: WorkerReportsParts) {
    this.#parts = parts;
  }

  /** @param answer tells the worker something in return */
  take(worker: number, message: WorkerMessage, answer: (message: unknown) => void): void {
    switch (message.kind) {
      case 'states':
        this.#states.set(worker, message);
        return this.#reportStates();
      case 'stats':
        return this.#parts.stats.set(worker, message.stats);
      case 'health':
        return void this.#health.set(worker, message.health);
      case 'take slot': {
        const taken = this.#slots.take(worker, message.proxyId, message.limit);
        return answer({ kind: 'slot', call: message.call, taken });
      }
      case 'free slot':
        return this.#slots.free(worker, message.proxyId);
      case 'target':
        // For the other workers alone.
        return undefined;
    }
  }

  /** A worker has ended: what it did with the proxies counts for nothing; the others go on. */
  forget(worker: number): void {
    this.#states.delete(worker);
    this.#health.delete(worker);
    this.#parts.stats.settle(worker);
    this.#slots.freeAll(worker);
    this.#reportStates();
  }

  problems(): readonly string[] {
    return [...this.#health].flatMap(([worker, { problems }]) =>
      problems.map((problem) => `worker ${worker}: ${problem}`),
    );
  }

  #reportStates(): void {
    const merged = mergeStates([...this.#states.values()]);
    if (merged !== undefined) void this.#parts.states.report(merged);
  }
}

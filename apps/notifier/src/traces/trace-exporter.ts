import { holdLease, type HeldLease } from '@portcullis/platform/coordination/held-lease';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import { createJob, type ServicePart } from '@portcullis/platform/service/service-part';
import { createCachedSettings } from '@portcullis/platform/settings/cached-settings';
import { sql } from 'kysely';
import type { DeliveryOutcome } from '../senders/delivery-outcome.ts';
import { createStatusWatch, type StatusWatch } from '../delivery/integration-status.ts';
import type { TraceDestination } from './trace-destination.ts';
import { loadQueued, loadTraces, removeQueued, saveTraceState, shedQueued } from './trace-rows.ts';

const pollIntervalMs = 1_000;
/** Longer than a look with its posts, each of which is bounded. */
const leaseMs = 60_000;
const maxTracesPerPost = 200;
/** In one look: other work of the process comes between. */
const maxPostsPerPoll = 20;
/** More than a day of a small team, and some ten megabytes. What is older goes first. */
const maxQueuedTraces = 100_000;
/** Statuses that may be the fault of one trace among many; 200 is that of a post of which only some were taken. */
const perTraceStatuses: ReadonlySet<number | null> = new Set([200, 400, 413, 422]);

export interface ExporterParts extends Pick<Infrastructure, 'database' | 'coordination' | 'metrics' | 'log'> {
  readonly open: () => Promise<TraceDestination>;
  /** How long a service that is away is left alone. */
  readonly restMs: number;
}

/**
 * Sends the traces that wait, oldest first, at least once: a trace is taken off the queue when the service has it. One process
 * of all does it at a time.
 */
export function createTraceExporter(parts: ExporterParts): ServicePart {
  const ended = new AbortController();
  const status = createStatusWatch(parts);
  const exporter = new Exporter(parts, status, ended.signal);
  return createJob(() => {
    const polls = runEvery(() => exporter.poll(), {
      intervalMs: pollIntervalMs,
      onFault: (error) =>
        parts.log.warn('Traces of requests to models could not be sent', { problem: problemText(error) }),
    });
    return {
      async [Symbol.asyncDispose]() {
        ended.abort();
        await polls[Symbol.asyncDispose]();
        await exporter.release();
        await status.settled();
      },
    };
  });
}

class Exporter {
  readonly #parts: ExporterParts;
  readonly #status: StatusWatch;
  readonly #signal: AbortSignal;
  readonly #destination;
  readonly #lease: HeldLease;
  #size = maxTracesPerPost;
  #rest = { untilMs: 0, revision: '' };
  #isEmptied = false;

  constructor(parts: ExporterParts, status: StatusWatch, signal: AbortSignal) {
    this.#parts = parts;
    this.#status = status;
    this.#signal = signal;
    this.#destination = createCachedSettings(parts.open);
    this.#lease = holdLease(parts.coordination, 'llm-traces', leaseMs);
  }

  async poll(): Promise<void> {
    const destination = await this.#destination.current();
    if (!destination.enabled) return this.#empty();
    this.#isEmptied = false;
    const rests = this.#rest.revision === destination.revision && performance.now() < this.#rest.untilMs;
    if (destination.missing !== undefined || rests || !(await this.#lease.holds())) return;
    const { database, metrics } = this.#parts;
    const shed = await shedQueued(database, maxQueuedTraces);
    if (shed > 0) metrics.gateway.countTraces('shed', shed);
    for (let posts = 0; posts < maxPostsPerPoll && !this.#signal.aborted; posts += 1) {
      const ids = await loadQueued(database, this.#size);
      if (ids.length === 0 || !(await this.#post(destination, ids))) return;
    }
  }

  release(): Promise<void> {
    return this.#lease.release();
  }

  /** Nothing is kept for a service that is switched off. */
  async #empty(): Promise<void> {
    if (this.#isEmptied) return;
    await sql`delete from llm_trace_queue`.execute(this.#parts.database.kysely);
    this.#isEmptied = true;
  }

  /** @returns whether the next may follow at once */
  async #post(destination: TraceDestination, ids: readonly number[]): Promise<boolean> {
    const { database, metrics } = this.#parts;
    const rows = await loadTraces(database, ids);
    const outcome: DeliveryOutcome =
      rows.length === 0 ? { kind: 'delivered', status: null } : await destination.send(rows, this.#signal);
    if (this.#signal.aborted && outcome.kind !== 'delivered') return false;
    await saveTraceState(database, outcome.kind === 'delivered' ? null : outcome.reason);
    if (outcome.kind === 'delivered') {
      if (rows.length > 0) this.#status.observe('llm_observability', outcome);
      await removeQueued(database, ids);
      metrics.gateway.countTraces('delivered', rows.length);
      this.#size = Math.min(maxTracesPerPost, this.#size * 2);
      return true;
    }
    if (outcome.kind === 'refused' && perTraceStatuses.has(outcome.status)) {
      if (ids.length === 1) {
        await removeQueued(database, ids);
        metrics.gateway.countTraces('refused', 1);
      }
      this.#size = Math.max(1, Math.floor(ids.length / 2));
      return true;
    }
    this.#status.observe('llm_observability', outcome);
    const waitMs = Math.max(this.#parts.restMs, outcome.kind === 'failed' ? (outcome.retryAfterMs ?? 0) : 0);
    this.#rest = { untilMs: performance.now() + waitMs, revision: destination.revision };
    return false;
  }
}

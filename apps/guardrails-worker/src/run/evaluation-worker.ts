import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { ServicePart } from '@portcullis/platform/service/service-part';
import type { Queue } from '@portcullis/platform/coordination/coordination';
import type { AnnounceProgress } from './announce-progress.ts';
import { startEnqueueingEvaluations, type EvaluationJob } from './enqueue-evaluations.ts';
import { finishLeased, releaseLease, takeLease, type EvaluationLease } from './evaluation-lease.ts';
import { openTarget, type TargetParts } from './open-target.ts';
import { runEvaluation } from './run-evaluation.ts';
import { openTimeSlice, type TimeSlice } from './time-slice.ts';

const evaluationQueue = 'evaluations';

export interface WorkerParts extends Pick<Infrastructure, 'database' | 'coordination' | 'log' | 'metrics'> {
  readonly targets: TargetParts;
  readonly announce: AnnounceProgress;
  /** How long a stop waits for requests under way. */
  readonly drainMs: number;
  readonly limits?: WorkerLimits;
}

interface WorkerLimits {
  /** Evaluations that a process runs side by side. */
  readonly atOnce: number;
  readonly sliceMs: number;
  readonly renewMs: number;
}

/** Ten cases each at most, so that a process has no more than a hundred requests under way. */
const usualLimits: WorkerLimits = { atOnce: 10, sliceMs: 60_000, renewMs: 3_000 };
/** A proxy runtime that is starting again is waited for, before an evaluation of its proxies has failed. */
const openPauseMs = 3_000;
const openAttempts = 10;

export interface EvaluationWorker extends ServicePart {
  /** Looks for evaluations to run, now. */
  wake(): void;
}

/**
 * Runs evaluations off the queue. The database says which there are and who has which; a job only asks for a time slice, so one
 * that is lost or comes twice does no harm.
 */
export function createEvaluationWorker(parts: WorkerParts): EvaluationWorker {
  const { database, coordination, log } = parts;
  const limits = parts.limits ?? usualLimits;
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  const running = new AsyncDisposableStack();
  let queue: Queue<EvaluationJob> | undefined;
  let enqueuer: ReturnType<typeof startEnqueueingEvaluations> | undefined;

  const runSlice = async (evaluationId: number): Promise<void> => {
    const lease = await takeLease(database, evaluationId);
    if (lease === undefined) return;
    await using slice = openTimeSlice({
      database,
      lease,
      stopping: stopping.signal,
      stopped: stopped.signal,
      hasWaiting: async () => ((await queue?.counts())?.waiting ?? 0) > 0,
      onFault: (error) => log.warn('The lease of an evaluation waits for the database', about(evaluationId, error)),
      sliceMs: limits.sliceMs,
      renewMs: limits.renewMs,
    });
    await runInSlice(parts, lease, slice);
    await parts.announce(evaluationId, { last: true });
    enqueuer?.runNow();
  };

  return {
    wake: () => enqueuer?.runNow(),
    start() {
      queue = running.use(coordination.queue<EvaluationJob>(evaluationQueue));
      running.use(
        queue.process(async ({ payload }) => {
          // The evaluation itself says what is left to do: a job that failed is followed by another one.
          await runSlice(payload.evaluationId).catch((error: unknown) => {
            log.warn('A time slice of an evaluation ended early', about(payload.evaluationId, error));
          });
        }, limits.atOnce),
      );
      enqueuer = running.use(startEnqueueingEvaluations({ database, log, queue }));
    },
    problems: () => {
      const problem = enqueuer?.problem();
      return problem === undefined ? [] : [`evaluations: ${problem}`];
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const timer = setTimeout(() => stopped.abort(), parts.drainMs);
      await running.disposeAsync();
      clearTimeout(timer);
    },
  };
}

const about = (evaluation: number, error: unknown) => ({ evaluation, reason: problemText(error) });

async function runInSlice(parts: WorkerParts, lease: EvaluationLease, slice: TimeSlice): Promise<void> {
  const { database, announce, metrics, log } = parts;
  const { id } = lease.evaluation;
  const opened = await openTargetWithRetry(parts, lease, slice);
  if (opened.problem !== undefined) {
    if (slice.isOver() && !slice.isCancelled()) await releaseLease(database, lease);
    else await finishLeased(database, lease, opened.problem);
    return;
  }
  const onCase = ({ judgement }: { readonly judgement: { readonly outcome: string } }): void => {
    metrics.gateway.countEvaluatedCase(judgement.outcome);
    void announce(id);
  };
  try {
    await runEvaluation({ database, log, onCase }, lease, opened.target, slice);
  } catch (error) {
    // The next process need not wait until the lease expires.
    await releaseLease(database, lease).catch(() => undefined);
    throw error;
  }
}

async function openTargetWithRetry({ targets }: WorkerParts, { evaluation }: EvaluationLease, slice: TimeSlice) {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openTarget(targets, evaluation);
    const isFinal = opened.problem === undefined || opened.passes !== true;
    if (isFinal || attempt === openAttempts || slice.isOver()) return opened;
    await slice.pause(openPauseMs);
  }
}

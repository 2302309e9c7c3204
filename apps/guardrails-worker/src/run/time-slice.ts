import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '@portcullis/platform/database/database';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import { renewLease, type EvaluationLease } from './evaluation-lease.ts';

/** The time in which one process runs one evaluation. */
export interface TimeSlice extends AsyncDisposable {
  /** Aborts requests under way: the process stops or the lease is lost. */
  readonly signal: AbortSignal;
  /** Ends waits of what is under way. */
  readonly hurry: AbortSignal;
  /** Holds further cases back: the target is too busy. */
  readonly onBusy: (pauseMs: number) => void;
  waitUntilFree(): Promise<void>;
  /** Ends early with the slice. */
  pause(ms: number): Promise<void>;
  /** No further case is to begin. */
  isOver(): boolean;
  isCancelled(): boolean;
  /** Renews the lease now, and learns whether it was lost or the evaluation cancelled. */
  renew(): Promise<void>;
  /** Lets no further case begin. */
  end(): void;
}

interface TimeSliceParts {
  readonly database: Queryable;
  readonly lease: EvaluationLease;
  /** The process stops: no further case is to begin. */
  readonly stopping: AbortSignal;
  /** The process waits no longer. */
  readonly stopped: AbortSignal;
  /** Whether other evaluations wait for a place. */
  readonly hasWaiting: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  /** How long an evaluation keeps its place where others wait for one. */
  readonly sliceMs: number;
  /** How often the lease is renewed: several times in its life. */
  readonly renewMs: number;
}

export function openTimeSlice({
  database,
  lease,
  stopping,
  stopped,
  hasWaiting,
  onFault,
  ...times
}: TimeSliceParts): TimeSlice {
  const [over, hurried, lost] = [new AbortController(), new AbortController(), new AbortController()];
  const signal = AbortSignal.any([stopped, lost.signal]);
  const ending = AbortSignal.any([over.signal, stopping, signal]);
  const startedAt = performance.now();
  let freeAt = 0;

  const renew = async (): Promise<void> => {
    const renewed = await renewLease(database, lease);
    if (renewed === undefined) {
      lost.abort();
    } else if (renewed.cancelled) {
      hurried.abort();
      over.abort();
    } else if (performance.now() - startedAt > times.sliceMs && (await hasWaiting())) {
      over.abort();
    }
  };
  const renewing = runEvery(renew, { intervalMs: times.renewMs, onFault, later: true });
  const pause = async (ms: number): Promise<void> => {
    if (ms > 0) await wait(ms, undefined, { signal: ending }).catch(() => undefined);
  };

  return {
    signal,
    hurry: hurried.signal,
    onBusy(pauseMs) {
      freeAt = Math.max(freeAt, performance.now() + pauseMs);
    },
    async waitUntilFree() {
      while (!ending.aborted && performance.now() < freeAt) await pause(freeAt - performance.now());
    },
    pause,
    isOver: () => ending.aborted,
    isCancelled: () => hurried.signal.aborted,
    renew,
    end: () => over.abort(),
    [Symbol.asyncDispose]: () => renewing[Symbol.asyncDispose](),
  };
}

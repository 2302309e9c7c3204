import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '@portcullis/platform/database/database';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import { renewLease, type EvaluationLease } from './lease.ts';

/** The time in which one process runs one evaluation. */
export interface Turn extends AsyncDisposable {
  /** Aborts what is under way: nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Ends waits of what is under way. */
  readonly hurry: AbortSignal;
  /** Holds further cases back: the target is too busy. */
  readonly onBusy: (pauseMs: number) => void;
  untilFree(): Promise<void>;
  /** Ends early with the turn. */
  pause(ms: number): Promise<void>;
  /** No further case is to begin. */
  isOver(): boolean;
  isCancelled(): boolean;
  /** Learns at once what a look in a few seconds would tell. */
  look(): Promise<void>;
  /** Lets no further case begin. */
  end(): void;
}

interface TurnParts {
  readonly database: Queryable;
  readonly lease: EvaluationLease;
  /** The process stops: no further case is to begin. */
  readonly stopping: AbortSignal;
  /** The process waits no longer. */
  readonly stopped: AbortSignal;
  /** Whether others wait for the place of this one. */
  readonly isWanted: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  /** How long an evaluation keeps its place where others wait for one. */
  readonly sliceMs: number;
  /** How often the lease is renewed: several times in its life. */
  readonly lookMs: number;
}

export function openTurn({ database, lease, stopping, stopped, isWanted, onFault, ...times }: TurnParts): Turn {
  const [over, hurried, lost] = [new AbortController(), new AbortController(), new AbortController()];
  const signal = AbortSignal.any([stopped, lost.signal]);
  const ending = AbortSignal.any([over.signal, stopping, signal]);
  const startedAt = performance.now();
  let freeAt = 0;

  const look = async (): Promise<void> => {
    const renewed = await renewLease(database, lease);
    if (renewed === undefined) {
      lost.abort();
    } else if (renewed.cancelled) {
      hurried.abort();
      over.abort();
    } else if (performance.now() - startedAt > times.sliceMs && (await isWanted())) {
      over.abort();
    }
  };
  const looking = runEvery(look, { intervalMs: times.lookMs, onFault, later: true });
  const pause = async (ms: number): Promise<void> => {
    if (ms > 0) await wait(ms, undefined, { signal: ending }).catch(() => undefined);
  };

  return {
    signal,
    hurry: hurried.signal,
    onBusy(pauseMs) {
      freeAt = Math.max(freeAt, performance.now() + pauseMs);
    },
    async untilFree() {
      while (!ending.aborted && performance.now() < freeAt) await pause(freeAt - performance.now());
    },
    pause,
    isOver: () => ending.aborted,
    isCancelled: () => hurried.signal.aborted,
    look,
    end: () => over.abort(),
    [Symbol.asyncDispose]: () => looking[Symbol.asyncDispose](),
  };
}

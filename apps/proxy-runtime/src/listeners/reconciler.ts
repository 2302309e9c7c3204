import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ListenerSet, ListenerState } from './listener-set.ts';
import type { StateReporter } from './state-reporter.ts';

/** Brings the listeners in step with the newest snapshot, one step at a time, and reports the outcome. */
export interface Reconciler {
  request(snapshot: Snapshot): void;
  /** Resolves when no step is under way. */
  idle(): Promise<void>;
  /** Reports again what was deleted while the others took this process for dead. */
  reportLost(): Promise<void>;
  /** Names and reasons of the proxies that should run and cannot. */
  problems(): readonly string[];
}

/** A report the database did not take is sent again after this long. */
const reportAgainMs = 1_000;

export function createReconciler(listeners: ListenerSet, reporter: StateReporter, log: Logger): Reconciler {
  let wanted: Snapshot | undefined;
  let running: Promise<void> | undefined;
  let states: readonly ListenerState[] = [];
  let revision = 0;
  let reportTimer: NodeJS.Timeout | undefined;

  const report = async (): Promise<void> => {
    clearTimeout(reportTimer);
    try {
      await reporter.report(states, revision);
    } catch (error) {
      log.warn('proxy states could not be reported', { reason: problemText(error) });
      reportTimer = setTimeout(() => void report(), reportAgainMs).unref();
    }
  };

  const run = async (): Promise<void> => {
    while (wanted !== undefined) {
      const snapshot = wanted;
      wanted = undefined;
      states = await listeners.reconcile(snapshot);
      revision = snapshot.revision;
      await report();
    }
  };

  return {
    request(snapshot) {
      wanted = snapshot;
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    async reportLost() {
      if (running === undefined && (await reporter.countReports()) < states.length) await report();
    },
    idle: () => running ?? Promise.resolve(),
    problems: () =>
      states.filter(({ state }) => state === 'error').map(({ proxyId, error }) => `proxy ${proxyId}: ${error}`),
  };
}

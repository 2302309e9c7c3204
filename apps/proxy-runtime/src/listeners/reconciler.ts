import type { Logger } from '@portcullis/platform/log/logger';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ListenerSet } from './listener-set.ts';
import { createReportJob } from './report-job.ts';
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

export function createReconciler(listeners: ListenerSet, reporter: StateReporter, log: Logger): Reconciler {
  let wanted: Snapshot | undefined;
  let running: Promise<void> | undefined;
  const keeper = createReportJob(reporter, log);

  const run = async (): Promise<void> => {
    while (wanted !== undefined) {
      const snapshot = wanted;
      wanted = undefined;
      const { revision, behind } = snapshot;
      const states = await listeners.reconcile(snapshot);
      // What a proxy that is behind does is no answer to the newest revision.
      await keeper.report({ states: states.filter(({ proxyId }) => !behind.has(proxyId)), revision, behind });
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
      if (running === undefined) await keeper.reportLost();
    },
    idle: () => running ?? Promise.resolve(),
    problems: () => keeper.problems(),
  };
}

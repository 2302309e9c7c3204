import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { untilNext } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { deleteStaleReports, wantAutoStartedOnce } from './desired-state-queries.ts';

interface ProxyReconcilerOptions {
  readonly database: Database;
  readonly instanceId: string;
  readonly log: Logger;
  /** From the start to the first look. */
  readonly firstAfterMs?: number;
  readonly everyMs?: number;
}

/**
 * Two seconds after the start, then again and again until it is disposed: takes away what processes
 * reported that have died and, once per boot of the installation, makes the proxies with
 * `auto_start` wanted.
 */
export function startProxyReconciler(options: ProxyReconcilerOptions): AsyncDisposable {
  const { database, instanceId, log, firstAfterMs = 2_000, everyMs = 2_000 } = options;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let autoStarted = false;
  let failing = false;

  const look = async (): Promise<void> => {
    try {
      await deleteStaleReports(database);
      autoStarted ||= await wantAutoStartedOnce(database, instanceId);
      failing = false;
    } catch (error) {
      if (!failing) log.warn('The states of the proxies could not be kept', { problem: problemText(error) });
      failing = true;
    }
  };
  const plan = (ms: number): void => {
    timer = setTimeout(() => {
      running = look().finally(() => plan(untilNext(everyMs)));
    }, ms).unref();
  };

  plan(firstAfterMs);
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}

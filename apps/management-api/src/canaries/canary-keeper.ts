import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { loadSettings } from '../settings/setting-store.ts';
import { purgeCanaryRows } from './canary-queries.ts';
import { hasOpenSightings, resolveSightings } from './resolve-sightings.ts';

interface CanaryKeeperOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly resolveIntervalMs?: number;
  readonly purgeIntervalMs?: number;
}

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Settles sightings and forgets what has expired, again and again until it is disposed. Any number of processes may do this. */
export function startCanaryKeeper(options: CanaryKeeperOptions): AsyncDisposable {
  const { database, log, resolveIntervalMs = 2 * secondMs, purgeIntervalMs = hourMs } = options;
  let running: Promise<void> | undefined;

  const resolve = async (): Promise<void> => {
    if (!(await hasOpenSightings(database))) return;
    const { canaries } = await loadSettings(database);
    while ((await resolveSightings(database, { alertOnEcho: canaries.alert_on_echo })) > 0);
  };
  const purge = async (): Promise<void> => {
    const { canaries } = await loadSettings(database);
    const purged = await purgeCanaryRows(database, new Date(Date.now() - canaries.retention_days * dayMs));
    if (purged > 0) log.info('Expired canary tokens were forgotten', { purged });
  };
  /** What takes longer than its interval is not started twice. */
  const run = (work: () => Promise<void>): void => {
    running ??= work()
      .catch((error: unknown) => void log.warn('Canary tokens could not be kept', { reason: problemText(error) }))
      .finally(() => {
        running = undefined;
      });
  };
  run(purge);
  const timers = [
    setInterval(run, resolveIntervalMs, resolve).unref(),
    setInterval(run, purgeIntervalMs, purge).unref(),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}

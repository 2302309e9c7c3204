import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { loadSettings } from '../settings/setting-store.ts';
import { purgeCanaryRows } from './canary-queries.ts';
import { hasOpenObservations, resolveObservations } from './resolve-observations.ts';

interface CanaryJobOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly resolveIntervalMs?: number;
  readonly purgeIntervalMs?: number;
}

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Settles observations and forgets what has expired, again and again until it is disposed. Any number of processes may do this. */
export function startCanaryJob(options: CanaryJobOptions): AsyncDisposable {
  const { database, log, resolveIntervalMs = 2 * secondMs, purgeIntervalMs = hourMs } = options;
  const resolve = async (): Promise<void> => {
    if (!(await hasOpenObservations(database))) return;
    const { canaries } = await loadSettings(database);
    while ((await resolveObservations(database, { alertOnEcho: canaries.alert_on_echo })) > 0);
  };
  const purge = async (): Promise<void> => {
    const { canaries } = await loadSettings(database);
    const purged = await purgeCanaryRows(database, new Date(Date.now() - canaries.retention_days * dayMs));
    if (purged > 0) log.info('Expired canary tokens were forgotten', { purged });
  };
  const onFault = (error: unknown) => void log.warn('Canary tokens could not be kept', { reason: problemText(error) });
  const repeated = [
    runEvery(purge, { intervalMs: purgeIntervalMs, onFault }),
    runEvery(resolve, { intervalMs: resolveIntervalMs, onFault, later: true }),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const one of repeated) await one[Symbol.asyncDispose]();
    },
  };
}

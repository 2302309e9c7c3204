import type { Database } from '../database/database.ts';
import { EventEmitter, once } from 'node:events';

/** Wakes those who wait for what the runtimes report. */
export interface StateReports extends AsyncDisposable {
  start(): Promise<void>;
  /** Resolves at the next report, or after a moment: a report can get lost. */
  next(): Promise<void>;
}

const pollMs = 100;

export function createStateReports(database: Database): StateReports {
  const reports = new EventEmitter().setMaxListeners(0);
  let unlisten: (() => Promise<void>) | undefined;
  return {
    async start() {
      unlisten = await database.listen('proxy_states', () => reports.emit('report'));
    },
    async next() {
      await once(reports, 'report', { signal: AbortSignal.timeout(pollMs) }).catch(() => undefined);
    },
    async [Symbol.asyncDispose]() {
      await unlisten?.();
    },
  };
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { processorMsOf } from './processor-time.mjs';

/**
 * What one test file took. `waitingMs` is the time in which the process of the tests had nothing to do: it slept, polled or
 * waited for another process. `processorMs` is of this process and of those that it started and that have ended.
 * @typedef {{
 *   totalMs: number, toFirstTestMs: number, waitingMs: number, processorMs: number, processes: number, databases: number,
 * }} FileProfile
 */

/** The channel on which the test kit tells of each database that it makes. */
export const databaseChannel = 'portcullis:test-database';

/** @returns {{ firstTest(): void, end(): FileProfile }} */
export function startFileProfile() {
  const startedAt = performance.now();
  const utilization = performance.eventLoopUtilization();
  const processorMs = processorMsOf('self');
  const counts = { processes: 0, databases: 0 };
  const countProcess = () => void (counts.processes += 1);
  const countDatabase = () => void (counts.databases += 1);
  subscribe('child_process', countProcess);
  subscribe(databaseChannel, countDatabase);
  /** @type {number | undefined} */
  let firstTestAt;
  return {
    firstTest: () => void (firstTestAt ??= performance.now()),
    end: () => {
      unsubscribe('child_process', countProcess);
      unsubscribe(databaseChannel, countDatabase);
      const endedAt = performance.now();
      return {
        totalMs: Math.round(endedAt - startedAt),
        toFirstTestMs: Math.round((firstTestAt ?? endedAt) - startedAt),
        waitingMs: Math.round(performance.eventLoopUtilization(utilization).idle),
        processorMs: processorMsOf('self') - processorMs,
        ...counts,
      };
    },
  };
}

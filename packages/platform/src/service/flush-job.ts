import type { SpoolRecord } from '@portcullis/contracts/records';
import { runEvery } from '../event-loop/run-every.ts';
import { createJob, type ServicePart } from './service-part.ts';

/** How often repeats are written out. */
const everyMs = 5_000;

/** What counts things instead of recording each. */
interface CountingSource {
  /** What was counted up to now, or all of it, once. */
  takeRecords(nowMs: number): readonly SpoolRecord[];
}

/** Writes out what has been counted, and at its end all that is left. */
export function createFlushJob(
  gatherers: readonly CountingSource[],
  append: (records: readonly SpoolRecord[]) => void,
): ServicePart {
  const write = (nowMs: number): void => append(gatherers.flatMap((gatherer) => gatherer.takeRecords(nowMs)));
  return createJob(() => {
    const writes = runEvery(async () => write(performance.now()), {
      intervalMs: everyMs,
      later: true,
      // The spool takes everything until it ends, which is after this.
      onFault: () => undefined,
    });
    return {
      async [Symbol.asyncDispose]() {
        await writes[Symbol.asyncDispose]();
        write(Number.POSITIVE_INFINITY);
      },
    };
  });
}

import type { SpoolRecord } from '@portcullis/contracts/records';
import { runEvery } from '../lifecycle/run-every.ts';
import { createJob, type ServicePart } from '../lifecycle/service-part.ts';
import { renderAuditRecord } from './audit-entry.ts';
import type { AuditThrottle } from './audit-throttle.ts';

/** How often repeats are written out. */
const everyMs = 5_000;

/** Writes out the repeats that throttles have counted, and at its end all that are left. */
export function createRepeatsJob(
  throttles: readonly AuditThrottle[],
  append: (records: readonly SpoolRecord[]) => void,
): ServicePart {
  const write = (nowMs: number): void =>
    append(throttles.flatMap((throttle) => throttle.takeRepeats(nowMs)).map((entry) => renderAuditRecord(entry)));
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

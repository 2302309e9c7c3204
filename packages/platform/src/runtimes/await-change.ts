import type { Pending } from '@portcullis/contracts/envelope';
import type { Database } from '../database/database.ts';
import { countRuntimes } from './count-runtimes.ts';
import type { StateReports } from './state-reports.ts';

interface AwaitChangeParts {
  readonly database: Database;
  readonly reports: StateReports;
  /** How long the data planes have to take a change over. */
  readonly timeoutMs?: number;
}

/**
 * Waits until every live data plane has a revision of the configuration in force: proxy runtimes and hubs. Until it has,
 * each serves by the configuration before it, whole. Resolves with what is missing when the time is over; without a data
 * plane nothing is.
 */
export const createAwaitChange =
  ({ database, reports, timeoutMs = 10_000 }: AwaitChangeParts) =>
  async (revision: number): Promise<Pending | undefined> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      // The change is saved: that it is unknown which process has it is no failure of it.
      const count = await countRuntimes(database, revision).catch(() => undefined);
      if (count === undefined) {
        const message =
          'Saved, but whether proxy runtimes and hubs have it in force cannot be told: no answer of the database';
        return { revision, runtimes: null, message };
      }
      const { live, late } = count;
      if (late === 0) return undefined;
      if (performance.now() >= deadline) {
        const message =
          `Saved, but ${late} of ${live} proxy runtimes and hubs do not have it in force yet. ` +
          'They serve by the configuration before it and take it over as soon as they can';
        return { revision, runtimes: late, message };
      }
      await reports.next();
    }
  };

import type { Database } from '../database/database.ts';
import { problemText } from '../errors/problem.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { Logger } from '../log/logger.ts';
import { LatestReport } from './latest-report.ts';
import { hasRevision, saveRevision, withdrawRevision, type Reporter, type RevisionReport } from './revision-report.ts';

/** Tells which configuration a data plane serves by. */
export interface RevisionReports extends AsyncDisposable {
  /** Never rejects: what the database does not take is reported again. */
  report(report: RevisionReport): Promise<void>;
}

interface ReportParts {
  readonly database: Database;
  readonly reporter: Reporter;
  readonly log: Logger;
  /** How often it is looked whether the report is still there. */
  readonly intervalMs?: number;
}

/** For a data plane that has nothing else to report. Disposing takes the report back: it serves nothing any more. */
export function reportRevisions({ database, reporter, log, intervalMs = 5_000 }: ReportParts): RevisionReports {
  const reports = new LatestReport<RevisionReport>({
    send: (report) => saveRevision(database, reporter, report),
    onFault: (error) => log.warn('What is in force could not be reported', { reason: problemText(error) }),
  });
  const looks = runEvery(
    async () => {
      if (reports.value === undefined || reports.isUnderWay || (await hasRevision(database, reporter))) return;
      await reports.sendAgain();
    },
    { intervalMs, onFault: () => {}, later: true },
  );
  return {
    report: (report) => reports.put(report),
    async [Symbol.asyncDispose]() {
      await looks[Symbol.asyncDispose]();
      await reports.end();
      await withdrawRevision(database, reporter).catch((error: unknown) =>
        log.warn('What was reported could not be taken back', { reason: problemText(error) }),
      );
    },
  };
}

import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { LatestReport } from '@portcullis/platform/runtimes/latest-report';
import type { RuntimeReport, StateReporter } from './state-reporter.ts';

/** Sees to it that what was reported last is what the others read. */
export interface ReportJob {
  report(report: RuntimeReport): Promise<void>;
  /** Reports again what was deleted while the others took this process for dead. */
  reportLost(): Promise<void>;
  /** Names and reasons of the proxies that should run and cannot. */
  problems(): readonly string[];
}

export function createReportJob(reporter: StateReporter, log: Logger): ReportJob {
  const reports = new LatestReport<RuntimeReport>({
    send: (report) => reporter.report(report),
    onFault: (error) => log.warn('proxy states could not be reported', { reason: problemText(error) }),
  });
  return {
    report: (report) => reports.put(report),
    async reportLost() {
      const { states = [] } = reports.value ?? {};
      if (reports.isUnderWay || (await reporter.isReported(states.length))) return;
      reporter.forget();
      await reports.sendAgain();
    },
    problems: () =>
      (reports.value?.states ?? [])
        .filter(({ state }) => state === 'error')
        .map(({ proxyId, error }) => `proxy ${proxyId}: ${error}`),
  };
}

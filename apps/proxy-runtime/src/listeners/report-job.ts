import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { RuntimeReport, StateReporter } from './state-reporter.ts';

/** Sees to it that what was reported last is what the others read. */
export interface ReportJob {
  report(report: RuntimeReport): Promise<void>;
  /** Reports again what was deleted while the others took this process for dead. */
  reportLost(): Promise<void>;
  /** Names and reasons of the proxies that should run and cannot. */
  problems(): readonly string[];
}

/** A report the database did not take is sent again after this long. */
const reportAgainMs = 1_000;

export function createReportJob(reporter: StateReporter, log: Logger): ReportJob {
  let latest: RuntimeReport | undefined;
  let reporting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const send = async (): Promise<void> => {
    clearTimeout(timer);
    const sent = latest;
    if (sent === undefined) return;
    try {
      await reporter.report(sent);
      // There may be news meanwhile.
      if (latest !== sent) await send();
    } catch (error) {
      log.warn('proxy states could not be reported', { reason: problemText(error) });
      timer = setTimeout(() => void start(), reportAgainMs).unref();
    }
  };
  /** One report at a time, the newest last. */
  const start = (): Promise<void> => {
    reporting ??= send().finally(() => {
      reporting = undefined;
    });
    return reporting;
  };

  return {
    report(report) {
      latest = report;
      return start();
    },
    async reportLost() {
      const { states = [] } = latest ?? {};
      if (reporting !== undefined || (await reporter.countReports()) >= states.length) return;
      reporter.forget();
      await start();
    },
    problems: () =>
      (latest?.states ?? [])
        .filter(({ state }) => state === 'error')
        .map(({ proxyId, error }) => `proxy ${proxyId}: ${error}`),
  };
}

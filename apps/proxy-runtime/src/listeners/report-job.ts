import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { ListenerState } from './listener-set.ts';
import type { StateReporter } from './state-reporter.ts';

/** Sees to it that what was reported last is what the others read. */
export interface ReportJob {
  /** @param revision configuration revision that the states answer */
  report(states: readonly ListenerState[], revision: number): Promise<void>;
  /** Reports again what was deleted while the others took this process for dead. */
  reportLost(): Promise<void>;
  /** Names and reasons of the proxies that should run and cannot. */
  problems(): readonly string[];
}

/** A report the database did not take is sent again after this long. */
const reportAgainMs = 1_000;

export function createReportJob(reporter: StateReporter, log: Logger): ReportJob {
  let latest: { readonly states: readonly ListenerState[]; readonly revision: number } | undefined;
  let reporting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const send = async (): Promise<void> => {
    clearTimeout(timer);
    const sent = latest;
    if (sent === undefined) return;
    try {
      await reporter.report(sent.states, sent.revision);
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
    report(states, revision) {
      latest = { states, revision };
      return start();
    },
    async reportLost() {
      const { states = [] } = latest ?? {};
      if (reporting === undefined && (await reporter.countReports()) < states.length) await start();
    },
    problems: () =>
      (latest?.states ?? [])
        .filter(({ state }) => state === 'error')
        .map(({ proxyId, error }) => `proxy ${proxyId}: ${error}`),
  };
}

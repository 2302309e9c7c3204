import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import type { ServicePart } from '@portcullis/platform/service/service-part';
import type { Logger } from '@portcullis/platform/log/logger';
import type { ReportJob } from './report-job.ts';
import type { StateReporter } from './state-reporter.ts';

export interface StatsParts {
  /** Sees to it that the states are there to have stats. */
  readonly states: Pick<ReportJob, 'reportLost'>;
  readonly reporter: Pick<StateReporter, 'reportStats'>;
  readonly log: Logger;
}

/** How often the stats of the proxies are written out. */
const everyMs = 5_000;

/** Writes out the stats of the proxies, now and then and when the way to a target has changed. */
export class StatsJob implements ServicePart {
  readonly #parts: StatsParts;
  #running: Repeated | undefined;

  constructor(parts: StatsParts) {
    this.#parts = parts;
  }

  start(): void {
    const { log } = this.#parts;
    const onFault = (error: unknown): void => {
      log.debug('stats could not be written', { reason: problemText(error) });
    };
    this.#running = runEvery(() => this.#write(), { intervalMs: everyMs, later: true, onFault });
  }

  runNow(): void {
    this.#running?.runNow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
  }

  async #write(): Promise<void> {
    const { states, reporter } = this.#parts;
    await states.reportLost();
    await reporter.reportStats();
  }
}

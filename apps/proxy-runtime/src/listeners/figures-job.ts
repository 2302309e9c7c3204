import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import type { ServicePart } from '@portcullis/platform/service/service-part';
import type { Logger } from '@portcullis/platform/log/logger';
import type { ReportJob } from './report-job.ts';
import type { StateReporter } from './state-reporter.ts';

export interface FiguresParts {
  /** Sees to it that the states are there to have figures. */
  readonly states: Pick<ReportJob, 'reportLost'>;
  readonly reporter: Pick<StateReporter, 'reportFigures'>;
  readonly log: Logger;
}

/** How often the figures of the proxies are written out. */
const everyMs = 5_000;

/** Writes out the figures of the proxies, now and then and when the way to a target has changed. */
export class FiguresJob implements ServicePart {
  readonly #parts: FiguresParts;
  #running: Repeated | undefined;

  constructor(parts: FiguresParts) {
    this.#parts = parts;
  }

  start(): void {
    const { log } = this.#parts;
    const onFault = (error: unknown): void => {
      log.debug('figures could not be written', { reason: problemText(error) });
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
    await reporter.reportFigures();
  }
}

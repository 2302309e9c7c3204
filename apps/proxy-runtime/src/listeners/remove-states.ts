import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { StateReporter } from './state-reporter.ts';

/** Tells the last stats and takes back the states. Never rejects: an end without a database is an end too. */
export async function removeStates(reporter: StateReporter, log: Logger): Promise<void> {
  try {
    await reporter.reportStats();
    await reporter.remove();
  } catch (error) {
    log.warn('proxy states could not be withdrawn', { reason: problemText(error) });
  }
}

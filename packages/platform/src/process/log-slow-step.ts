import type { Logger } from '../log/logger.ts';

/** Of a start whose steps are not shown. */
const quietMs = 2_000;

/**
 * Does a part of a start, and says so at `info` where the process has been starting for longer than two seconds.
 * @param step what is being done, for people: `Migrating the database`
 * @param quietUntilMs milliseconds since the start of the process
 */
export async function logSlowStep<Result>(
  log: Logger,
  step: string,
  work: () => Promise<Result>,
  quietUntilMs = quietMs,
): Promise<Result> {
  const timer = setTimeout(() => log.info(step), Math.max(quietUntilMs - performance.now(), 0));
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

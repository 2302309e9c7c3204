import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../log/logger.ts';
import { problemText } from '../errors/problem.ts';
import { loadGeneralSettings } from './load-settings.ts';

/** A lost notice heals by this poll. */
const pollMs = 15_000;

interface FollowLogLevelOptions {
  readonly database: Pick<Database, 'kysely' | 'listen'>;
  readonly config: Pick<Config, 'LOG_LEVEL'>;
  readonly log: Logger;
}

/**
 * Keeps the level of the process' log in step with the settings, until disposed. While they cannot
 * be read the last level stays.
 */
export function followLogLevel({ database, config, log }: FollowLogLevelOptions): AsyncDisposable {
  let following: Promise<void> = Promise.resolve();
  let unlisten: (() => Promise<void>) | undefined;

  const apply = async (): Promise<void> => {
    const { log_level: wanted } = await loadGeneralSettings(database);
    // Loggers of services are made from one that writes through these transports.
    for (const transport of log.transports) transport.level = wanted ?? config.LOG_LEVEL;
  };
  const follow = (): void => {
    following = following.then(apply).catch((error: unknown) => {
      log.debug('The log level could not be read', { problem: problemText(error) });
    });
  };

  follow();
  const timer = setInterval(follow, pollMs).unref();
  // While the database is away this waits for it, and no caller shall wait for that.
  void database
    .listen('config_changes', (table) => {
      if (table === 'settings') follow();
    })
    .then(
      (stop) => (unlisten = stop),
      () => undefined,
    );
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await unlisten?.().catch(() => undefined);
      await following;
    },
  };
}

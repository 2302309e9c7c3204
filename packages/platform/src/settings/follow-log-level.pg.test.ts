import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createLogger, transports } from 'winston';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import { followLogLevel } from './follow-log-level.ts';

describe.each(databaseKinds)('the log level (%s)', (kind) => {
  test('follows the settings live, in loggers made before too, and falls back to the environment', async () => {
    await using database = await openTestDatabase(kind);
    const stream = new PassThrough().resume();
    const log = createLogger({ level: 'info', transports: [new transports.Stream({ stream })] });
    const child = log.child({ service: 'x' }).child({ service: 'y' });
    await using _ = followLogLevel({ database, config: { LOG_LEVEL: 'info' }, log: log.child({ service: 'gateway' }) });
    expect(child.isDebugEnabled()).toBe(false);

    const save = (level: string | null) =>
      database.kysely
        .insertInto('settings')
        .values({ section: 'general', document: JSON.stringify({ log_level: level }) })
        .onConflict((conflict) =>
          conflict.column('section').doUpdateSet((row) => ({ document: row.ref('excluded.document') })),
        )
        .execute();
    await save('debug');
    await waitFor(() => child.isDebugEnabled(), { what: 'debug lines' });
    await save('error');
    await waitFor(() => !child.isWarnEnabled(), { what: 'errors only' });
    await save(null);
    await waitFor(() => child.isInfoEnabled() && !child.isDebugEnabled(), { what: 'the level of the environment' });
  });
});

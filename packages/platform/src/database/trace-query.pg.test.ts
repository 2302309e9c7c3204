import { describe, expect, test } from '@jest/globals';
import { startTraceCollector } from '@portcullis/testkit/trace-collector';
import { sql } from 'kysely';
import { openTestDatabase, silentLog } from '../../test/test-database.ts';
import { parseConfigOrThrow } from '../config/config.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { withSpan } from '../tracing/with-span.ts';
import { renderStatement } from './trace-query.ts';

describe.each(['embedded', 'server'] as const)('queries in traces (%s)', (store) => {
  test('are spans with their statement and without its values, below what asked for them', async () => {
    await using collector = await startTraceCollector();
    await using database = await openTestDatabase(store);
    const tracing = await startTracing(
      parseConfigOrThrow({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url }),
      silentLog,
    );
    await database.check();
    await withSpan('asker', {}, async () => {
      await database.kysely.transaction().execute(async (transaction) => {
        await transaction.insertInto('settings').values({ section: 'a secret', document: '{}' }).execute();
      });
      await expect(sql`select 'no number'::int`.execute(database.kysely)).rejects.toThrow('invalid input syntax');
    });
    await tracing[Symbol.asyncDispose]();

    const spans = collector.spans();
    const below = (parent: string) => {
      const found = spans.find(({ name }) => name === parent);
      return spans.filter(({ parentSpanId }) => parentSpanId === found?.spanId);
    };
    const ofAsker = below('asker').toSorted((a, b) => a.name.localeCompare(b.name));
    expect(ofAsker.map(({ name }) => name)).toEqual(['SELECT', 'transaction']);
    const queries = below('transaction');
    expect(queries.map(({ name }) => name)).toEqual(['BEGIN', 'INSERT settings', 'COMMIT']);
    expect(queries[1]).toMatchObject({
      kind: 3,
      attributes: {
        'db.system': 'postgresql',
        'db.operation': 'INSERT',
        'db.sql.table': 'settings',
        'db.statement': 'insert into "settings" ("section", "document") values ($1, $2)',
      },
    });
    expect(ofAsker[0]?.status).toEqual({ code: 2, message: 'SQLSTATE 22P02' });
    // The check belonged to nothing.
    expect(spans).toHaveLength(6);
    expect(JSON.stringify(spans)).not.toMatch(/a secret|no number/);
  });
});

test.each([
  ["select 'it''s' as x,  'y'", "select '*' as x, '*'"],
  ["select 'never closed", "select '*'"],
  ['\n  select\n  1 ', 'select 1'],
])('%j is told as %j', (statement, told) => expect(renderStatement(statement)).toBe(told));

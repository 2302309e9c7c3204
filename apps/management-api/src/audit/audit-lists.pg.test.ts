import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditBlockSize, countAuditBlocks } from '@portcullis/platform/audit/count-blocks';
import { expireAudit } from '@portcullis/platform/audit/expire-audit';
import { createSealKey } from '@portcullis/platform/audit/seal-key';
import { Secret } from '@portcullis/platform/config/secret';
import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { AuditFilter } from './audit-filter.ts';
import { loadAuditPage, loadAuditStats } from './audit-queries.ts';

const count = Math.floor(3.5 * auditBlockSize);
const start = new Date('2026-05-01T00:00:00Z');
const minute = (number: number) => new Date(start.getTime() + number * 60_000);

interface Row {
  readonly id: number;
  readonly timestamp: Date;
  readonly event_type: string;
  readonly severity: string;
  readonly actor_name: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly result: string;
  readonly source_ip: string | null;
}

const filter = fc.record(
  {
    eventTypes: fc.subarray(['proxy.started', 'auth.login.failed', 'user.created'], { minLength: 1, maxLength: 2 }),
    severities: fc.subarray(['info', 'warning', 'critical'], { minLength: 1, maxLength: 2 }),
    actors: fc.subarray(['rosa', 'ben', 'absent'], { minLength: 1, maxLength: 2 }),
    resourceType: fc.constantFrom('proxy', 'user'),
    resourceId: fc.constantFrom('1', '4'),
    result: fc.constantFrom('success' as const, 'failure' as const),
    sourceIp: fc.constantFrom('10.0.0.1', '10.0.0.5'),
    beforeId: fc.integer({ min: 1, max: count + 10 }),
    from: fc.integer({ min: 0, max: count }).map(minute),
    to: fc.integer({ min: 0, max: count }).map(minute),
  },
  { requiredKeys: [] },
);
const range = fc.record({ limit: fc.integer({ min: 1, max: 100 }), offset: fc.integer({ min: 0, max: count + 10 }) });

const passes = (row: Row, wanted: AuditFilter): boolean =>
  (wanted.eventTypes?.includes(row.event_type) ?? true) &&
  (wanted.severities?.includes(row.severity) ?? true) &&
  (wanted.actors?.includes(row.actor_name ?? '') ?? true) &&
  [
    [wanted.resourceType, row.resource_type],
    [wanted.resourceId, row.resource_id],
    [wanted.result, row.result],
    [wanted.sourceIp, row.source_ip],
  ].every(([value, own]) => value === undefined || value === own) &&
  row.id < (wanted.beforeId ?? Infinity) &&
  (wanted.from === undefined || row.timestamp >= wanted.from) &&
  (wanted.to === undefined || row.timestamp < wanted.to);

describe.each(stores)('audit lists (%s)', (kind) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let rows: readonly Row[];
  const load = async () => {
    const found = await database.kysely.selectFrom('audit_log').selectAll().orderBy('id', 'desc').execute();
    rows = found;
  };

  beforeAll(async () => {
    database = await openTestDatabase(kind, { queryTimeoutMs: 60_000 });
    const { kysely } = database;
    // Many at once, so without their hashes; times are a little out of order, as when several processes tell.
    await sql`alter table audit_log disable trigger audit_chain`.execute(kysely);
    await sql`insert into audit_log (id, hash, event_id, timestamp, event_type, severity, actor_type, actor_name,
      resource_type, resource_id, action, result, source_ip)
      select n, 'h' || n, gen_random_uuid(), ${start}::timestamptz + (n + n * 7919 % 13) * interval '1 minute',
        (array['proxy.started', 'auth.login.failed', 'user.created'])[1 + n % 3],
        (array['info', 'warning', 'critical', 'info'])[1 + n % 4], 'user', (array['rosa', 'ben', null])[1 + n % 7 % 3],
        (array['proxy', 'user', null, 'user'])[1 + n % 4], (n % 5)::text, 'done', (array['success', 'failure'])[1 + n % 2],
        '10.0.0.' || n % 11 from generate_series(1, ${count}::int) as n`.execute(kysely);
    await sql`update audit_chain set last_id = ${count}, last_hash = ${`h${count}`}`.execute(kysely);
    await sql`alter table audit_log enable trigger audit_chain`.execute(kysely);
    await load();
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  const holds = () =>
    fc.assert(
      fc.asyncProperty(filter, range, async (wanted, place) => {
        const expected = rows.filter((row) => passes(row, wanted));
        const page = await loadAuditPage(database, wanted, place);
        expect(page.total).toBe(expected.length);
        expect(page.logs.map(({ id }) => id)).toEqual(
          expected.slice(place.offset, place.offset + place.limit).map(({ id }) => id),
        );
        const stats = await loadAuditStats(database, wanted);
        expect(stats.total).toBe(expected.length);
        expect(stats.critical).toBe(expected.filter(({ severity }) => severity === 'critical').length);
      }),
      { numRuns: 60 },
    );

  test('are right before any block is counted, once blocks are counted, and when the first has begun to expire', async () => {
    await holds();
    expect(await Promise.all([countAuditBlocks(database), countAuditBlocks(database)])).toContain(3);
    expect(await countAuditBlocks(database)).toBe(0);
    await holds();

    const key = createSealKey(new Secret('e'.repeat(32)));
    expect(await expireAudit(database, key, minute(auditBlockSize / 2))).toBeGreaterThan(2_000);
    const blocks = await database.kysely.selectFrom('audit_blocks').select('block').orderBy('block').execute();
    expect(blocks).toEqual([{ block: 1 }, { block: 2 }]);
    await load();
    await holds();
  });

  test('are searched bit by bit, each saying where to go on', async () => {
    const found: number[] = [];
    let searched = 0;
    for (let beforeId: number | undefined, more = true; more;) {
      const wanted = { search: 'USER.created', resourceType: 'user', beforeId };
      const page = await loadAuditPage(database, wanted, { limit: 1_000, offset: 0 });
      found.push(page.total);
      searched += page.searched ?? 0;
      beforeId = page.searched_from_id ?? undefined;
      more = beforeId !== undefined;
    }
    const all = rows.filter(({ resource_type: type }) => type === 'user');
    expect(searched).toBe(all.length);
    expect(found.reduce((sum, total) => sum + total, 0)).toBe(
      all.filter(({ event_type: type }) => type === 'user.created').length,
    );
    expect(found.length).toBeGreaterThan(1);
  });
});

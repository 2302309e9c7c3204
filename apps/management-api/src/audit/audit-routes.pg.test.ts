import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  getAuditHead,
  getAuditLog,
  getAuditStats,
  listAuditLogs,
  verifyAuditLog,
  type AuditFilters,
} from '@portcullis/contracts/routes/audit';
import { parseHeadOrThrow } from '@portcullis/platform/audit/chain-head';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { createSealKey } from '@portcullis/platform/audit/seal-key';
import { sql } from 'kysely';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const actor = { type: 'user', id: 7, name: 'rosa', role: 'operator' } as const;

describe.each(stores)('the audit log over HTTP (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
    const { kysely } = management.infrastructure.database;
    await recordAudit(kysely, {
      event_type: 'proxy.started',
      actor,
      resource: { type: 'proxy', id: 4, name: 'chat' },
      source_ip: '203.0.113.5',
    });
    await recordAudit(kysely, {
      event_type: 'security.access.denied',
      actor: { type: 'anonymous', id: null, name: null },
      result: 'failure',
      error_message: '=HYPERLINK("http://evil")',
      details: { path: '/Ünique' },
    });
  });
  afterAll(() => management.stop());

  const list = (query: AuditFilters & { limit?: number; offset?: number }) =>
    management.admin.data(listAuditLogs, { query });
  const types = async (query: AuditFilters) => (await list(query)).logs.map((log) => log.event_type);
  const download = async (query: string) => {
    const response = await fetch(`${management.origin}/api/v1/audit/export?${query}`, {
      headers: { authorization: `Bearer ${management.adminToken}` },
    });
    return { headers: response.headers, text: await response.text() };
  };

  test('shows records newest first, with who, what and from where', async () => {
    const page = await list({ user: 'rosa' });
    expect(page).toEqual({
      logs: [
        {
          id: expect.any(Number),
          event_type: 'proxy.started',
          timestamp: expect.any(String),
          severity: 'info',
          actor: { user_id: 7, username: 'rosa', email: null, role: 'operator', type: 'user' },
          resource: { type: 'proxy', id: '4', name: 'chat' },
          action: 'started',
          result: 'success',
          details: {},
          changes: null,
          metadata: { request_id: null, event_id: expect.any(String), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
          source_ip: '203.0.113.5',
          user_agent: null,
          error_message: null,
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
    });
    const [shown] = page.logs;
    expect(await management.admin.data(getAuditLog, { params: { id: shown?.id ?? 0 } })).toEqual(shown);
    expect(await management.admin.status(getAuditLog, { params: { id: 999_999 } })).toBe(404);
    const all = await list({});
    expect(all.logs.map(({ id }) => id)).toEqual(Array.from({ length: all.total }, (_, index) => all.total - index));
    expect((await list({ limit: 1, offset: 1 })).logs).toEqual(all.logs.slice(1, 2));
  });

  test('is filtered by everything that a record says', async () => {
    expect(await types({ event_type: 'proxy.started, security.access.denied' })).toEqual([
      'security.access.denied',
      'proxy.started',
    ]);
    expect(await types({ severity: 'CRITICAL' })).toEqual(['security.access.denied']);
    expect(await types({ result: 'failure' })).toEqual(['security.access.denied']);
    expect(await types({ resource_type: 'proxy', resource_id: '4' })).toEqual(['proxy.started']);
    expect(await types({ source_ip: '203.0.113.5' })).toEqual(['proxy.started']);
    expect(await types({ search: 'nIQUE' })).toEqual(['security.access.denied']);
    const day = (await list({ user: 'rosa' })).logs[0]?.timestamp.slice(0, 10) ?? '';
    expect(await types({ search: 'rosa', date_from: day, date_to: day, time_range: '1h' })).toEqual(['proxy.started']);
    expect(await types({ search: 'rosa', date_to: '2020-01-01' })).toEqual([]);
    expect(await types({ search: 'rosa', date_from: '2099-01-01T00:00:00Z' })).toEqual([]);
  });

  test.each([
    [{ event_type: 'proxy.exploded' }, '/query/event_type'],
    [{ severity: 'terrible' }, '/query/severity'],
    [{ date_from: '2026-02-30' }, '/query/date_from'],
    [{ date_to: 'yesterday' }, '/query/date_to'],
    [{ limit: 0 }, '/query/limit'],
    [{ limit: 1_001 }, '/query/limit'],
    [{ time_range: '0h' }, '/query/time_range'],
  ])('refuses %j', async (query, path) => {
    const refusal = await management.admin.refusal(listAuditLogs, { query });
    expect(refusal).toMatchObject({ status: 400, problems: [{ path }] });
  });

  test('counts what an admin looks at first', async () => {
    await management.anonymous.as(undefined).status(listAuditLogs);
    const stats = await management.admin.data(getAuditStats, { query: { result: 'failure' } });
    expect(stats).toEqual({ total: 1, critical: 1, warning: 0, failed_logins: 0, access_denied: 1 });
  });

  test('is for admins only', async () => {
    for (const role of ['viewer', 'operator'] as const) {
      const client = management.anonymous.as(await management.signIn(role));
      for (const route of [listAuditLogs, getAuditStats, verifyAuditLog, getAuditHead])
        expect(await client.status(route)).toBe(403);
    }
  });

  test('is downloaded as JSON and as CSV that no spreadsheet calculates, and the download is recorded', async () => {
    const json = await download('format=json&severity=critical&search=evil');
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(json.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-.*\.json"$/);
    expect(JSON.parse(json.text)).toMatchObject([{ event_type: 'security.access.denied' }]);
    expect(JSON.parse((await download('actor=none')).text)).toEqual([]);

    const csv = await download('format=csv&severity=critical&search=evil');
    const [names, line] = csv.text.split('\r\n');
    expect(names).toContain('id,timestamp,event_type');
    expect(line).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect((await list({ event_type: 'audit.exported' })).logs).toMatchObject([
      { actor: { username: 'admin' }, details: { format: 'csv', severity: 'critical', search: 'evil' } },
      { details: { user: 'none' } },
      { details: { format: 'json' } },
    ]);
  });

  test('is downloaded whole, however long it is, and verified', async () => {
    const { kysely } = management.infrastructure.database;
    await sql`
      insert into audit_log (event_id, timestamp, event_type, severity, actor_type, actor_name, action, result)
      select gen_random_uuid(), now(), 'apikey.used', 'info', 'api_key', 'many', 'used', 'success'
      from generate_series(1, 1700)`.execute(kysely);
    const logs = JSON.parse((await download('actor=many')).text) as { id: number }[];
    expect(logs).toHaveLength(1_700);
    expect(new Set(logs.map(({ id }) => id)).size).toBe(1_700);

    expect(await management.admin.data(verifyAuditLog)).toMatchObject({ valid: true, problem: null });
    const published = await management.admin.data(getAuditHead);
    const key = createSealKey(management.infrastructure.config.ENCRYPTION_KEY);
    expect(parseHeadOrThrow(published.head, key)).toEqual({ record_id: published.record_id, hash: published.hash });
    expect(await management.admin.data(verifyAuditLog)).toMatchObject({ sealed_id: published.record_id });
    await kysely.transaction().execute(async (transaction) => {
      await sql`alter table audit_log disable trigger all`.execute(transaction);
      await sql`update audit_log set actor_name = 'mallory' where id = 2`.execute(transaction);
      await sql`alter table audit_log enable trigger all`.execute(transaction);
    });
    expect(await management.admin.data(verifyAuditLog)).toMatchObject({ valid: false, problem: { record_id: 2 } });
    // What is signed is looked at from the last good seal on, so no seal is left that one could go on from.
    await kysely.deleteFrom('audit_seals').execute();
    expect(await management.admin.refusal(getAuditHead)).toMatchObject({
      status: 409,
      message: expect.stringContaining('record 2 was changed'),
    });
  });
});

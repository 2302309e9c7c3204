import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestLogRecord } from '@portcullis/contracts/records';
import { getRefusals, type RefusalQuery } from '@portcullis/contracts/routes/spend';
import { sql } from 'kysely';
import { record, requestLogRecord } from '../../test/records.ts';
import { at, dayMs, setUpSpender, type Spender, yesterday } from '../../test/set-up-spender.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('refusals (%s)', (store) => {
  let management: TestManagement;
  let proxy: Spender['proxy'];
  let team: Spender['team'];
  let ada: Spender['ada'];
  let owned: Spender['owned'];

  beforeAll(async () => {
    management = await startManagement(store);
    const { admin, infrastructure } = management;
    ({ proxy, team, ada, owned } = await setUpSpender(admin));
    const refused = (hours: number, reason: string, fields: Partial<RequestLogRecord> = {}) =>
      requestLogRecord({
        proxy_id: proxy.id,
        timestamp: at(hours),
        status_code: 403,
        denied_reason: reason,
        denied_stage: 'check_budget',
        ...fields,
      });
    const ofKey = { api_key_id: owned.id, user_group_id: team.id };
    await record(infrastructure, [
      refused(1, 'budget_exceeded', ofKey),
      refused(2, 'budget_exceeded', ofKey),
      refused(3, 'policy_blocked', { ...ofKey, denied_stage: 'scan_request' }),
      refused(26, 'budget_exceeded', { user_id: ada.id, user_group_id: team.id }),
      // One record for many requests without a key.
      refused(4, 'key_missing', { denied_stage: 'authenticate', requests: 7 }),
      // These were not refused.
      requestLogRecord({ proxy_id: proxy.id, timestamp: at(1), ...ofKey }),
      refused(1, 'upstream_error', { target_problem: 'connection refused', ...ofKey }),
    ]);
  });
  afterAll(() => management.stop());

  const refusals = (query: Partial<RefusalQuery>) =>
    management.admin.data(getRefusals, { query: { date_from: at(0), ...query } });
  /** The dimensions of each row, and how many were refused. */
  const counts = async (query: Partial<RefusalQuery>) => {
    const { groups, group_by: dimensions } = await refusals(query);
    return groups.map((row) => [...dimensions.map((dimension) => row[dimension]), row.request_count]);
  };

  test('are counted by key and reason, most first, with names, shares and the last of them', async () => {
    const answer = await refusals({});
    expect(answer).toMatchObject({ request_count: 11, total: 4, counted_from: null, group_by: ['key', 'reason'] });
    expect(answer.groups).toHaveLength(4);
    expect(answer.groups[1]).toEqual({
      key: owned.id,
      key_name: 'owned',
      reason: 'budget_exceeded',
      request_count: 2,
      last_at: at(2),
      share_percent: 18.18,
    });
    expect(await counts({})).toEqual([
      [null, 'key_missing', 7],
      [owned.id, 'budget_exceeded', 2],
      [null, 'budget_exceeded', 1],
      [owned.id, 'policy_blocked', 1],
    ]);
  });

  test('are counted by each dimension', async () => {
    expect(await counts({ group_by: 'team' })).toEqual([
      [null, 7],
      [team.id, 4],
    ]);
    expect(await counts({ group_by: 'user' })).toEqual([
      [null, 7],
      [ada.id, 4],
    ]);
    expect(await counts({ group_by: 'proxy,stage' })).toEqual([
      [proxy.id, 'authenticate', 7],
      [proxy.id, 'check_budget', 3],
      [proxy.id, 'scan_request', 1],
    ]);
    expect(await counts({ group_by: 'day', order: 'time' })).toEqual([
      [at(0).slice(0, 10), 10],
      [at(24).slice(0, 10), 1],
    ]);
    expect((await counts({ group_by: 'hour', order: 'time' })).map(([hour]) => hour)).toEqual(
      [1, 2, 3, 4, 26].map((hours) => at(hours)),
    );
  });

  test('are narrowed by filters and free dates, in pages', async () => {
    expect(await counts({ group_by: 'key', reason: 'budget_exceeded', user: 'ada' })).toEqual([
      [owned.id, 2],
      [null, 1],
    ]);
    expect(await counts({ group_by: 'reason', key: owned.id, date_from: at(2), date_to: at(3) })).toEqual([
      ['budget_exceeded', 1],
    ]);
    expect(await counts({ group_by: 'reason', team: team.id, stage: 'scan_request' })).toEqual([['policy_blocked', 1]]);
    expect(await counts({ proxy: proxy.id + 1 })).toEqual([]);
    expect(await refusals({ limit: 1, offset: 3 })).toMatchObject({ total: 4, groups: [{ reason: 'policy_blocked' }] });
    expect(await refusals({ offset: 100 })).toMatchObject({ total: 4, groups: [], request_count: 11 });
  });

  test.each<[string, Partial<RefusalQuery>]>([
    ['group_by', { group_by: 'model' }],
    ['order', { order: 'time' }],
    ['date_from', { date_from: new Date(yesterday - 100 * dayMs).toISOString().slice(0, 10) }],
  ])('that cannot be told are refused, with the field %s', async (field, query) => {
    expect(await management.admin.refusal(getRefusals, { query })).toMatchObject({
      status: 400,
      message: expect.stringContaining(field),
    });
  });

  test('are counted from the latest 40,000 records, and say from when on', async () => {
    const { kysely } = management.infrastructure.database;
    await sql`insert into request_logs (event_id, timestamp, request_id, proxy_id, method, path, status_code, duration_ms,
        request_size, response_size, client_ip, risk_level, denied_reason)
      select gen_random_uuid(), timestamp + n * interval '1 ms', request_id, proxy_id, method, path, 429, 1, 1, 1, '', 'None',
      'rate_limited' from request_logs, generate_series(1, 40000) n where denied_reason = 'policy_blocked'`.execute(
      kysely,
    );
    const { counted_from: from, request_count: count } = await refusals({ group_by: 'key', reason: 'rate_limited' });
    // Two that are later take the place of the first two.
    expect([count, from]).toEqual([39_998, new Date(yesterday + 3 * 3_600_000 + 3).toISOString()]);
    const before = await refusals({ group_by: 'reason', date_to: at(3) });
    expect([before.request_count, before.counted_from]).toEqual([2, null]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { getSpend, type SpendQuery } from '@portcullis/contracts/routes/spend';
import { sql } from 'kysely';
import { record, usageRecord } from '../../test/records.ts';
import { at, dayMs, setUpSpender, type Spender, yesterday } from '../../test/set-up-spender.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const usd = 1_000_000;

describe.each(stores)('spending (%s)', (store) => {
  let management: TestManagement;
  let proxy: Spender['proxy'];
  let team: Spender['team'];
  let ada: Spender['ada'];
  let owned: Spender['owned'];
  let plain: { readonly id: number };

  beforeAll(async () => {
    management = await startManagement(store);
    const { admin, infrastructure } = management;
    ({ proxy, team, ada, owned } = await setUpSpender(admin));
    plain = (await admin.data(createApiKey, { body: { user_group_id: team.id, name: 'plain' } })).api_key;
    const spent = (micro: number, timestamp: string, fields: object) =>
      usageRecord({ proxy_id: proxy.id, user_group_id: team.id, cost_micro_usd: micro, timestamp, ...fields });
    await record(infrastructure, [
      spent(4 * usd, at(1), { api_key_id: owned.id, model: 'large', session_id: 'agent_one' }),
      spent(2 * usd, at(1.5), { api_key_id: owned.id, session_id: 'agent_one' }),
      spent(1 * usd, at(5), { api_key_id: plain.id, session_id: 'agent_two' }),
      // A login, which has no key.
      spent(3 * usd, at(26), { user_id: ada.id }),
    ]);
  });
  afterAll(() => management.stop());

  const spend = (query: Partial<SpendQuery>) =>
    management.admin.data(getSpend, { query: { date_from: at(0), ...query } });
  /** The dimensions of each row, and what it cost. */
  const costs = async (query: Partial<SpendQuery>) => {
    const { groups, group_by: dimensions } = await spend(query);
    return groups.map((row) => [...dimensions.map((dimension) => row[dimension]), row.total_cost]);
  };

  test('is summed by each dimension, highest cost first', async () => {
    expect(await costs({ group_by: 'team' })).toEqual([[team.id, 10]]);
    expect(await costs({ group_by: 'key' })).toEqual([
      [owned.id, 6],
      [null, 3],
      [plain.id, 1],
    ]);
    expect(await costs({ group_by: 'proxy' })).toEqual([[proxy.id, 10]]);
    expect(await costs({ group_by: 'model' })).toEqual([
      ['small-1', 6],
      ['large', 4],
    ]);
    expect(await costs({ group_by: 'user' })).toEqual([
      [ada.id, 9],
      [null, 1],
    ]);
    expect(await costs({ group_by: 'hour', order: 'time' })).toEqual([
      [at(1), 6],
      [at(5), 1],
      [at(26), 3],
    ]);
  });

  test('is summed by several at once, with names and shares', async () => {
    const answer = await spend({ group_by: 'key,model,day', order: 'time' });
    expect(answer).toMatchObject({ total_cost: 10, request_count: 4, total: 4, to: null, counted_from: null });
    expect(answer.groups[0]).toEqual({
      key: owned.id,
      key_name: 'owned',
      model: 'large',
      day: at(0).slice(0, 10),
      total_cost: 4,
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      request_count: 1,
      share_percent: 40,
    });
    const { groups, total } = await spend({ group_by: 'key,model,day', limit: 1, offset: 1 });
    expect([groups.map((row) => row.total_cost), total]).toEqual([[3], 4]);
    expect(await spend({ group_by: 'key', offset: 100 })).toMatchObject({ groups: [], total: 3, total_cost: 10 });
  });

  test('is narrowed by filters and free dates', async () => {
    expect(await costs({ group_by: 'model', key: owned.id, date_to: at(24) })).toEqual([
      ['large', 4],
      ['small-1', 2],
    ]);
    expect(await costs({ group_by: 'day', user: 'ADA@example.com', order: 'time' })).toEqual([
      [at(0).slice(0, 10), 6],
      [at(24).slice(0, 10), 3],
    ]);
    expect(await costs({ group_by: 'team', date_from: at(4), date_to: at(6) })).toEqual([[team.id, 1]]);
    expect(await costs({ group_by: 'team', model: 'nothing' })).toEqual([]);
  });

  test('is summed by session, with all that tells its calls apart', async () => {
    expect(await costs({ group_by: 'session' })).toEqual([
      ['agent_one', 6],
      [null, 3],
      ['agent_two', 1],
    ]);
    expect(await costs({ group_by: 'session,user,hour', order: 'time' })).toEqual([
      ['agent_one', ada.id, at(1), 6],
      ['agent_two', null, at(5), 1],
      [null, ada.id, at(26), 3],
    ]);
    expect(await costs({ group_by: 'session,model', user: 'ada', date_to: at(24) })).toEqual([
      ['agent_one', 'large', 4],
      ['agent_one', 'small-1', 2],
    ]);
    expect(await costs({ group_by: 'session,day', key: plain.id })).toEqual([['agent_two', at(0).slice(0, 10), 1]]);
  });

  test.each<[string, Partial<SpendQuery>]>([
    ['group_by', { group_by: 'colour' }],
    ['group_by', { group_by: 'team,key,model,day' }],
    ['order', { group_by: 'team', order: 'time' }],
    ['date_from', { group_by: 'team', date_from: '2020-01-01' }],
    ['date_from', { group_by: 'user', date_from: new Date(yesterday - 100 * dayMs).toISOString().slice(0, 10) }],
    ['date_from', { group_by: 'session', date_from: new Date(yesterday - 100 * dayMs).toISOString().slice(0, 10) }],
    ['date_from', { group_by: 'team', date_from: '2026-02-30' }],
  ])('that cannot be told is refused, with the field %s', async (field, query) => {
    expect(await management.admin.refusal(getSpend, { query })).toMatchObject({
      status: 400,
      message: expect.stringContaining(field),
    });
  });

  test('of sessions adds up the latest 40,000 records, and says from when on', async () => {
    const { kysely } = management.infrastructure.database;
    const older = new Date(yesterday - 2 * dayMs);
    await record(management.infrastructure, [
      usageRecord({ proxy_id: proxy.id, timestamp: older.toISOString(), session_id: 'agent_old' }),
    ]);
    await sql`insert into usage_records (event_id, timestamp, request_id, proxy_id, protocol, model, input_tokens,
        output_tokens, total_tokens, cost_micro_usd, estimated)
      select gen_random_uuid(), timestamp + n * interval '1 second', request_id, proxy_id, protocol, model, 0, 0, 0, 0, false
      from usage_records, generate_series(1, 40000) n where timestamp = ${older}`.execute(kysely);
    const of = (query: Partial<SpendQuery>) =>
      spend({ group_by: 'session', date_from: older.toISOString(), date_to: at(0), ...query });
    const { groups, counted_from: from, request_count: count } = await of({});
    expect([groups.length, count, from]).toEqual([1, 40_000, new Date(older.getTime() + 1_000).toISOString()]);
    expect((await of({ group_by: 'team' })).counted_from).toBeNull();
    expect((await spend({ group_by: 'session' })).counted_from).toBeNull();
    await sql`delete from usage_records where timestamp < ${new Date(yesterday)}`.execute(kysely);
    await sql`delete from daily_usage where day < ${at(0).slice(0, 10)}`.execute(kysely);
    await sql`delete from hourly_usage where hour < ${new Date(yesterday)}`.execute(kysely);
  });

  test('says since when hours are counted', async () => {
    const { kysely } = management.infrastructure.database;
    await sql`insert into daily_usage select '2026-01-05', proxy_id, user_group_id, api_key_id, protocol, model, requests,
      input_tokens, output_tokens, total_tokens, cost_micro_usd from daily_usage limit 1`.execute(kysely);
    const from = new Date(yesterday - 80 * dayMs);
    await sql`update daily_usage set day = ${new Date(from.getTime() + dayMs).toISOString().slice(0, 10)}
      where day = '2026-01-05'`.execute(kysely);
    const query = { date_from: from.toISOString() };
    expect((await spend({ ...query, group_by: 'user' })).counted_from).toBe(at(1));
    expect((await spend({ ...query, group_by: 'team' })).counted_from).toBeNull();
  });
});

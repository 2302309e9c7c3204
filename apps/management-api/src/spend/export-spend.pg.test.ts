import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { sql } from 'kysely';
import { record, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const dayMs = 86_400_000;
const yesterday = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
const day = (days: number) => new Date(yesterday + days * dayMs).toISOString().slice(0, 10);
const month = (text: string, months: number) =>
  new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1 + months)).toISOString().slice(0, 10);

/** What FOCUS 1.2 calls mandatory. */
const mandatory =
  `BilledCost, BillingAccountId, BillingAccountName, BillingCurrency, BillingPeriodEnd, BillingPeriodStart,
  ChargeCategory, ChargeClass, ChargeDescription, ChargePeriodEnd, ChargePeriodStart, ContractedCost,
  EffectiveCost, InvoiceIssuerName, ListCost, PricingQuantity, PricingUnit, ProviderName,
  PublisherName, ServiceCategory, ServiceName`.split(/,\s+/);

describe.each(stores)('spending as a file (%s)', (store) => {
  let management: TestManagement;
  let proxy: { readonly id: number };
  let team: { readonly id: number };
  let key: { readonly id: number };

  beforeAll(async () => {
    management = await startManagement(store);
    const { admin, infrastructure } = management;
    const target = { name: 'llm', type: 'llm', target: 'https://llm.example.com/v1', port: 25_101 } as const;
    proxy = await admin.data(createProxy, { body: { ...target, tags: ['prod', 'cost-7'] } });
    team = await admin.data(createUserGroup, { body: { name: '=cmd()' } });
    key = (await admin.data(createApiKey, { body: { user_group_id: team.id, name: 'ci, nightly' } })).api_key;
    const timestamp = new Date(yesterday + 3_600_000).toISOString();
    const ofKey = { proxy_id: proxy.id, user_group_id: team.id, api_key_id: key.id, timestamp };
    await record(infrastructure, [
      usageRecord({ ...ofKey, cost_micro_usd: 1_250_000 }),
      usageRecord({ ...ofKey, cost_micro_usd: 7 }),
      usageRecord({ proxy_id: 999, timestamp, model: 'large', cost_micro_usd: 2_000_000 }),
    ]);
  });
  afterAll(() => management.stop());

  const download = (query: string, token = management.adminToken) =>
    fetch(`${management.origin}/api/v1/spend/export?${query}`, { headers: { authorization: `Bearer ${token}` } });
  const lines = async (query: string) => (await (await download(query)).text()).split('\r\n').slice(0, -1);
  const ofYesterday = `date_from=${day(0)}&date_to=${day(0)}`;

  test('has the columns that FOCUS demands, first and in order, in one table', async () => {
    const response = await download(`format=focus&${ofYesterday}`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="spend-focus-${day(0)}-to-${day(0)}.csv"`,
    );
    const [header = '', ...rows] = (await response.text()).split('\r\n').slice(0, -1);
    const columns = header.split(',');
    expect(columns).toEqual(expect.arrayContaining(mandatory));
    const own = columns.filter((name) => name.startsWith('x_'));
    expect(columns.slice(-own.length)).toEqual(own);
    const others = columns.slice(0, -own.length);
    expect(others).toEqual(others.toSorted());
    expect(rows).toHaveLength(2);
  });

  test('tells what a day cost by proxy, team, key and model, and no spreadsheet executes it', async () => {
    const [, first, second] = await lines(ofYesterday);
    const [start, end, from, to] = [month(day(0), 0), month(day(0), 1), day(0), day(1)];
    const times = (name: string, ends: string) => `${ends}T00:00:00Z,${name}T00:00:00Z`;
    expect(first).toBe(
      `1.250007,proxy/${proxy.id},llm,USD,${times(start, end)},Usage,,Requests to small-1: 2,Usage-Based,${times(from, to)},` +
        '30,Tokens,1.250007,1.250007,llm.example.com,1.250007,30,Tokens,llm.example.com,llm.example.com,' +
        `api-key/${key.id},"ci, nightly",API key,AI and Machine Learning,openai-chat,small-1,user-group/${team.id},"'=cmd()",` +
        '"{""prod"":true,""cost-7"":true}",20,10,2',
    );
    // Its proxy is gone, and it had neither key nor team.
    expect(second).toBe(
      `2,proxy/999,,USD,${times(start, end)},Usage,,Requests to large: 1,Usage-Based,${times(from, to)},15,Tokens,2,2,Unknown,2,15,` +
        'Tokens,Unknown,Unknown,,,,AI and Machine Learning,openai-chat,large,,,,10,5,1',
    );
  });

  test('is narrowed by filters and dates, in whole days', async () => {
    expect(await lines(`${ofYesterday}&team=${team.id}`)).toHaveLength(2);
    expect(await lines(`${ofYesterday}&key=${key.id}&model=large`)).toHaveLength(1);
    expect(await lines(`${ofYesterday}&proxy=999`)).toHaveLength(2);
    expect(await lines(`date_from=${day(0)}T23:00:00Z`)).toHaveLength(3);
    expect(await lines(`date_from=${day(1)}`)).toHaveLength(1);
    for (const query of ['format=xls', 'date_from=2020-01-01', 'key=ci'])
      expect([query, (await download(query)).status]).toEqual([query, 400]);
  });

  test('is as long as the period has rows', async () => {
    const { kysely } = management.infrastructure.database;
    await sql`insert into daily_usage (day, proxy_id, user_group_id, api_key_id, protocol, model, requests, input_tokens,
        output_tokens, total_tokens, cost_micro_usd)
      select ${day(-3)}, 1 + n % 3, n % 5, n % 7, 'openai-chat', 'model-' || n, 1, 1, 1, 2, 3 from generate_series(1, 1200) n`.execute(
      kysely,
    );
    const [, ...rows] = await lines(`date_from=${day(-3)}&date_to=${day(-3)}`);
    expect(new Set(rows).size).toBe(1_200);
  });

  test('is for those who may read, and stands in the audit log', async () => {
    expect((await download('', 'nobody')).status).toBe(401);
    await (await download(`${ofYesterday}&proxy=${proxy.id}`)).text();
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'spend.exported', limit: 1 } });
    expect(logs[0]?.details).toEqual({ format: 'focus', proxy: proxy.id, date_from: day(0), date_to: day(0) });
  });
});

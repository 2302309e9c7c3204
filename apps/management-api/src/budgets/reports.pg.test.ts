import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getBreakdownReport, getSummaryReport } from '@portcullis/contracts/routes/budgets';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { extractText } from 'unpdf';
import { record, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('budget reports (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    fakeCalendar(new Date());
    management = await startManagement(store);
    const group = await management.admin.data(createUserGroup, { body: { name: '=cmd()' } });
    const rows = Array.from({ length: 60 }, (_, index) =>
      usageRecord({ user_group_id: group.id, model: `model-${index}`, cost_micro_usd: 1_250_000 }),
    );
    await record(management.infrastructure, rows);
  });
  afterAll(() => management.stop());

  const download = (report: 'summary' | 'breakdown', query: string) =>
    fetch(`${management.origin}/api/v1/budgets/reports/${report}?${query}`, {
      headers: { authorization: `Bearer ${management.adminToken}` },
    });

  test('come as JSON unless asked otherwise', async () => {
    const response = await download('summary', 'period=today');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({
      success: true,
      data: {
        period: 'today',
        total_cost: 75,
        request_count: 60,
        organization: { current_month_spending: 75 },
        forecast: { current_usage: 75 },
        top_user_groups: [{ user_group_name: '=cmd()', total_cost: 75, share_percent: 100 }],
      },
    });
    const breakdown = (await (await download('breakdown', 'limit=5')).json()) as { data: { by_model: unknown[] } };
    expect(breakdown.data.by_model).toHaveLength(5);
  });

  test('come as CSV that no spreadsheet executes', async () => {
    const response = await download('breakdown', 'format=csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="budget-breakdown.csv"');
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toBe('section,name,total_cost,total_tokens,request_count,share_percent');
    expect(lines).toContain(`By user group,"'=cmd()",75,900,60,100`);
    expect(lines).toContain('By model,model-7,1.25,15,1,1.67');
    expect((await (await download('summary', 'format=csv')).text()).split('\r\n')).toContain('Period,total_cost,75');
  });

  test('come as PDF, on as many pages as they take', async () => {
    const response = await download('breakdown', 'format=pdf');
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const { totalPages, text } = await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true });
    expect(totalPages).toBeGreaterThan(1);
    expect(text).toContain('Budget breakdown');
    expect(text).toContain('By user group');
    for (let index = 0; index < 60; index += 1) expect(text).toContain(`model-${index} `);
    const summary = await download('summary', 'format=pdf');
    const { text: told } = await extractText(new Uint8Array(await summary.arrayBuffer()), { mergePages: true });
    expect(told).toContain('current_month_spending 75');
  });

  test('refuse other formats and periods, and who is not signed in', async () => {
    for (const route of [getSummaryReport, getBreakdownReport]) {
      for (const query of [{ format: 'xls' }, { period: 'ever' }]) {
        expect(await management.admin.status(route, { query })).toBe(400);
      }
      expect(await management.anonymous.status(route)).toBe(401);
    }
  });
});

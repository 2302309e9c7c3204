import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { silentLog } from '@portcullis/platform/test/test-database';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { waitFor } from '@portcullis/testkit/wait-for';
import { record, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { startBudgetAlerts } from './budget-alerts.ts';

const usd = 1_000_000;
fakeCalendar(new Date());

describe.each(stores)('alerts of budgets (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const alerts = () =>
    management.infrastructure.database.kysely
      .selectFrom('alerts')
      .select(['rule_id', 'severity', 'user_group', 'description'])
      .where('policy_name', '=', 'budgets')
      .orderBy('id')
      .execute();

  test('are raised at 50, 80 and 95 percent, once each, by however many processes', async () => {
    const { admin, infrastructure } = management;
    const { database } = infrastructure;
    const group = await admin.data(createUserGroup, { body: { name: 'research', monthly_budget: 10 } });
    const spend = (cost: number) =>
      record(infrastructure, [usageRecord({ user_group_id: group.id, cost_micro_usd: cost * usd })]);
    const open = () => startBudgetAlerts({ database, log: silentLog, intervalMs: 50 });
    await using _one = open();
    await using _other = open();
    const told = async () => (await alerts()).map(({ rule_id: rule }) => rule);
    for (const [cost, rules] of [
      [5, ['BUDGET_50']],
      [1, ['BUDGET_50']],
      [2, ['BUDGET_50', 'BUDGET_80']],
      [4, ['BUDGET_50', 'BUDGET_80', 'BUDGET_95']],
    ] as const) {
      await spend(cost);
      await waitFor(async () => (await told()).length === rules.length, { what: `${rules.length} alerts` });
      expect(await told()).toEqual(rules);
    }
    // A process that starts later knows nothing of those before.
    await using _later = open();
    const passes = { count: 0 };
    await waitFor(async () => (await told()).length > 0 && (passes.count += 1) > 5, { what: 'some passes' });
    expect(await alerts()).toMatchObject([
      { rule_id: 'BUDGET_50', severity: 'Low', user_group: 'research' },
      { rule_id: 'BUDGET_80', severity: 'Medium' },
      {
        rule_id: 'BUDGET_95',
        severity: 'High',
        description: expect.stringMatching(/^12\.00 of 10\.00 USD of the monthly budget of the user group research/),
      },
    ]);
  });
});

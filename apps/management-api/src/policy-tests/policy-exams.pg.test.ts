import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setAlertStatus } from '@portcullis/contracts/routes/alerts';
import { createPolicy, listPolicies } from '@portcullis/contracts/routes/policies';
import { evaluatePolicy } from '@portcullis/contracts/routes/policy-tests';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { addProxyPolicy } from '@portcullis/contracts/routes/proxy-policies';
import { examplePolicy } from '../../test/example-policy.ts';
import { alertRecord, record } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const jsonLines = (...rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const samples = jsonLines(
  { id: 'attack', text: 'the zanzibar plan', label: 'attack' },
  { id: 'other', text: 'the samarkand plan', label: 'attack' },
  { id: 'trip', text: 'a trip to rome', label: 'benign' },
);

describe.each(stores)('the exam of policies (%s)', (store) => {
  let management: TestManagement;
  let proxy: { readonly id: number };
  beforeAll(async () => {
    management = await startManagement(store);
    const { admin } = management;
    for (const name of ['stored', 'tried']) {
      const word = name === 'stored' ? 'zanzibar' : 'samarkand';
      await admin.data(createPolicy, { body: { document: examplePolicy(name, word) } });
    }
    proxy = await admin.data(createProxy, {
      body: { name: 'p', type: 'llm', target: 'http://127.0.0.1:9', port: 24_310, policy_names: ['stored'] },
    });
    await admin.data(addProxyPolicy, { params: { id: proxy.id, policyName: 'tried' }, body: { mode: 'shadow' } });
  });
  afterAll(() => management.stop());
  const examine = (body: object) => management.admin.data(evaluatePolicy, { body });

  test('compares a draft with the policies of a proxy, of which some are in shadow mode', async () => {
    const exam = await examine({ proxy_id: proxy.id, policy: examplePolicy('stored', 'rome'), samples });
    expect(exam.after.policies.map(({ name, mode }) => [name, mode])).toEqual([
      ['stored', 'enforce'],
      ['tried', 'shadow'],
    ]);
    expect(exam.cases.map(({ id, outcome, would, before, change }) => [id, outcome, would, before, change])).toEqual([
      ['attack', 'passed', null, 'blocked', 'new_miss'],
      ['other', 'passed', 'blocked', 'passed', null],
      ['trip', 'blocked', null, 'passed', 'new_false_alarm'],
    ]);
    expect(exam).toMatchObject({
      after: { total: { recall: 0, false_alarm_rate: 1 }, all_enforced: { recall: 0.5 } },
      before: { total: { recall: 0.5, false_alarm_rate: 0, precision: 1 } },
      difference: { new_misses: ['samples/attack'], new_false_alarms: ['samples/trip'] },
    });
    const unchanged = await examine({ proxy_id: proxy.id, samples });
    expect(unchanged.cases.map(({ change }) => change)).toEqual([null, null, null]);
  });

  test('takes stored policies by name and id, and the suite where nothing else is asked for', async () => {
    const [builtin] = await management.admin.data(listPolicies);
    const exam = await examine({ policy_names: [builtin?.id] });
    expect(exam.after).toMatchObject({ total: { samples: 71 }, sources: [{ source: 'suite' }], all_enforced: null });
    expect(exam.after.total.blocked).toBeGreaterThan(0);
    expect(exam.after.total.p99_us).toBeGreaterThan(0);
    expect([exam.before, exam.difference]).toEqual([null, null]);
    const some = await examine({ policy: 'stored', suite: ['benign_control'], before: {} });
    expect(some.cases.every(({ source, label }) => source === 'suite' && label === 'benign')).toBe(true);
    expect(some.before?.policies).toEqual([]);
    const shadow = await examine({ policy_names: ['stored'], shadow: ['stored'], samples });
    expect(shadow.after).toMatchObject({ total: { blocked: 0 }, all_enforced: { blocked: 1 } });
  });

  test('forms logged verdicts again, with what reviewers said of them', async () => {
    const { admin, infrastructure } = management;
    const hit = (target: string, rules: readonly object[] | undefined = [{ rule_id: 'word', policies: ['stored'] }]) =>
      alertRecord({
        policy_name: 'stored',
        rule_id: 'word',
        target,
        raw_data: rules ? { rules } : {},
        proxy_id: proxy.id,
      });
    await record(infrastructure, [hit('/1'), hit('/2'), hit('/3'), { ...hit('/4'), raw_data: {} }]);
    const ids = await infrastructure.database.kysely
      .selectFrom('alerts')
      .select(['id', 'target'])
      .orderBy('id')
      .execute();
    const id = (target: string) => Number(ids.find((one) => one.target === target)?.id);
    await admin.data(setAlertStatus, { params: { id: id('/1') }, body: { status: 'resolved' } });
    await admin.data(setAlertStatus, { params: { id: id('/2') }, body: { status: 'false_positive' } });

    const weaker = { ...examplePolicy('stored'), rules: [{ id: 'word', patterns: ['zanzibar'], action: 'monitor' }] };
    const exam = await examine({ proxy_id: proxy.id, policy: weaker, logged: 10 });
    expect(
      exam.cases.map(({ source, id: shown, label, before, outcome }) => [source, shown, label, before, outcome]),
    ).toEqual([
      ['logged', String(id('/3')), null, 'blocked', 'flagged'],
      ['logged', String(id('/2')), 'benign', 'blocked', 'flagged'],
      ['logged', String(id('/1')), 'attack', 'blocked', 'flagged'],
    ]);
    expect(exam.difference).toMatchObject({
      new_misses: [`logged/${id('/1')}`],
      ended_false_alarms: [`logged/${id('/2')}`],
    });
    const changed = await examine({ proxy_id: proxy.id, policy: examplePolicy('stored', 'rome'), logged: 1 });
    expect(changed.after.total).toMatchObject({ samples: 1, unknown: 1 });
    expect((await examine({ policy: 'tried', logged: 10 })).after.total).toMatchObject({ passed: 3 });
  });

  test('reads texts as a proxy does that trusts them or not', async () => {
    const rules = [{ id: 'word', patterns: ['timbuktu'], origins: ['user'], action: 'block' }];
    const policy = { name: 'of users', rules };
    const system = jsonLines({ id: 'system', text: 'timbuktu', label: 1, role: 'system' });
    const { id } = await management.admin.data(createProxy, {
      body: {
        name: 'wary',
        type: 'llm',
        target: 'http://127.0.0.1:9',
        port: 24_311,
        settings: { trusted_roles: [] },
      },
    });
    const outcomes = await Promise.all(
      [proxy.id, id].map(async (proxyId) => (await examine({ proxy_id: proxyId, policy, samples: system })).cases[0]),
    );
    expect(outcomes.map((one) => one?.outcome)).toEqual(['passed', 'blocked']);
  });

  test.each([
    [{}, '/body/policy', 'must be given, or policy_names or proxy_id'],
    [{ proxy_id: 99_999 }, '/body/proxy_id', 'must be the id of a proxy: there is no 99999'],
    [{ policy_names: ['stord'] }, '/body/policy_names/0', 'did you mean "stored"?'],
    [{ policy: { name: 'x' } }, '/body/policy/rules', ''],
    [{ policy: 'stored', before: { policy: { name: 'x' } } }, '/body/before/policy/rules', ''],
    [{ policy: 'stored', shadow: ['x'] }, '/body/shadow/0', 'must be the name of one of these policies'],
    [{ policy: 'stored', suite: false }, '/body/suite', 'must be taken, or samples or logged given'],
    [{ policy: 'stored', suite: ['weather'] }, '/body/suite', ''],
    [{ policy: 'stored', samples: '{"text": "a"}' }, '/body/samples', 'line 1: label must be "attack" or "benign"'],
    [{ policy: 'stored', logged: 1_001 }, '/body/logged', ''],
  ])('refuses %j', async (body, path, rule) => {
    const refusal = await management.admin.refusal(evaluatePolicy, { body });
    expect(refusal).toMatchObject({
      status: 400,
      problems: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringContaining(path), rule: expect.stringContaining(rule) }),
      ]),
    });
  });

  test('is bounded in characters, and for operators', async () => {
    const long = jsonLines(
      ...Array.from({ length: 21 }, (_, index) => ({ text: `${index} ${'x'.repeat(100_000)}`, label: 1 })),
    );
    expect(await management.admin.refusal(evaluatePolicy, { body: { policy: 'stored', samples: long } })).toMatchObject(
      {
        problems: [{ path: '/body/samples', rule: 'must have at most 2000000 characters of text in all' }],
      },
    );
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(evaluatePolicy, { body: { policy: 'stored' } })).toBe(403);
    const operator = management.anonymous.as(await management.signIn('operator'));
    expect(await operator.status(evaluatePolicy, { body: { policy: 'stored', samples } })).toBe(200);
  });

  test('does not hold up other requests', async () => {
    const long = jsonLines(
      ...Array.from({ length: 19 }, (_, index) => ({
        text: `${index} ${'some plain words '.repeat(6_000)}`,
        label: 1,
      })),
    );
    const names = (await management.admin.data(listPolicies)).map(({ name }) => name);
    const exam = examine({ policy_names: names, samples: long });
    const start = performance.now();
    let longest = 0;
    for (let request = 0; request < 5; request += 1) {
      const from = performance.now();
      await management.admin.data(listPolicies);
      longest = Math.max(longest, performance.now() - from);
    }
    const others = performance.now() - start;
    expect((await exam).after.total.samples).toBe(19);
    expect(performance.now() - start).toBeGreaterThan(others);
    expect(longest).toBeLessThan(2_000);
  });
});

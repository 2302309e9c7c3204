import { describe, expect, test } from '@jest/globals';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import { compilePolicies } from '../compile/compile-policies.ts';
import { budgetRule } from '../plan/compiled-plan.ts';
import type { Finding, ScanContext } from '../policy.ts';
import { decide, enforcedAction } from '../verdict/decide.ts';
import { ExceptionTable, type ExceptedTraffic, type PolicyException } from './exception-table.ts';

const rule = (id: string, pattern: string, more: object = {}) => ({
  id,
  name: id,
  severity: 'High',
  enabled: true,
  patterns: [pattern],
  action: 'block',
  ...more,
});
function policyOf(name: string, ...rules: object[]) {
  const file = { name, version: '1', description: '', severity: 'High', policy_type: 'both', rules };
  const { policy, problems } = parsePolicyFile(file);
  if (policy === undefined) throw new Error(JSON.stringify(problems));
  return policy;
}
const exception = (fields: Partial<PolicyException> = {}): PolicyException => ({
  id: 1,
  ruleId: 'SESAME',
  policyName: null,
  proxyId: null,
  agentId: null,
  userGroupId: null,
  tool: null,
  endsAtMs: 1_000,
  ...fields,
});
function tableOf(...exceptions: PolicyException[]) {
  const clock = { nowMs: 0 };
  const table = new ExceptionTable(() => clock.nowMs);
  table.replace(exceptions);
  return { clock, table };
}
const sesame = policyOf('house', rule('SESAME', 'open sesame'), rule('PAPAYA', 'papaya'));
const plan = compilePolicies([sesame]);
const context = (table: ExceptionTable, traffic: ExceptedTraffic = {}, tool?: string): ScanContext => ({
  direction: 'request',
  protocol: 'llm',
  calledTool: tool,
  exceptions: table.within(traffic),
});
const found = (findings: readonly Finding[]) => findings.map(({ ruleId, exceptedBy }) => [ruleId, exceptedBy]);
const actionOf = (text: string, given: ScanContext) => decide(plan.scan(text, given)).action;

test('a finding under an exception is told and passes; other rules in the same text still block', () => {
  const { table } = tableOf(exception({ id: 7 }));
  const alone = plan.scan('open sesame', context(table));
  expect([found(alone), alone.map(enforcedAction), decide(alone).action]).toEqual([[['SESAME', 7]], ['pass'], 'pass']);
  const both = plan.scan('open sesame, papaya', context(table));
  expect([found(both), decide(both).action]).toEqual([
    [
      ['SESAME', 7],
      ['PAPAYA', undefined],
    ],
    'block',
  ]);
  // What was remembered of the text is not what was excepted of it.
  expect(actionOf('open sesame', { direction: 'request', protocol: 'llm' })).toBe('block');
});

test.each([
  ['proxy', { proxyId: 3 }, { proxyId: 3 }, { proxyId: 4 }],
  ['no proxy', { proxyId: 3 }, { proxyId: 3 }, { agentId: 3 }],
  ['agent', { agentId: 3 }, { agentId: 3 }, { proxyId: 3 }],
  ['team', { userGroupId: 1 }, { userGroupId: 1 }, { userGroupId: 2 }],
  ['no team', { userGroupId: 1 }, { userGroupId: 1 }, {}],
  ['both', { proxyId: 3, userGroupId: 1 }, { proxyId: 3, userGroupId: 1 }, { proxyId: 3, userGroupId: 2 }],
])('one that is narrowed to a %s holds there alone', (_name, scope, inside, outside) => {
  const { table } = tableOf(exception(scope));
  expect([inside, outside].map((traffic) => actionOf('open sesame', context(table, traffic)))).toEqual([
    'pass',
    'block',
  ]);
});

test('one for a tool holds for texts about that tool, to the letter', () => {
  const { table } = tableOf(exception({ tool: 'read_file' }));
  const actions = ['read_file', 'Read_File', 'read_files', undefined].map((tool) =>
    actionOf('open sesame', context(table, {}, tool)),
  );
  expect(actions).toEqual(['pass', 'block', 'block', 'block']);
});

test('one for a policy leaves the same rule of another in force', () => {
  const { table } = tableOf(exception({ policyName: 'house' }));
  const two = compilePolicies([sesame, policyOf('garden', rule('SESAME', 'open sesame'))]);
  const findings = two.scan('open sesame', context(table));
  expect(new Map(findings.map(({ policyName, exceptedBy }) => [policyName, exceptedBy]))).toEqual(
    new Map([
      ['garden', undefined],
      ['house', 1],
    ]),
  );
  expect(decide(findings).action).toBe('block');
});

test('it ends by the clock, and when it is taken out', () => {
  const { clock, table } = tableOf(exception());
  const given = context(table);
  clock.nowMs = 999;
  expect(actionOf('open sesame', given)).toBe('pass');
  clock.nowMs = 1_000;
  expect(actionOf('open sesame', given)).toBe('block');
  clock.nowMs = 0;
  table.replace([]);
  expect(actionOf('open sesame', given)).toBe('block');
  expect(table.within({})).toBeUndefined();
});

test('a text that was not read to its end is never excepted', () => {
  const { table } = tableOf(exception({ ruleId: budgetRule }));
  const work = { left: 0 };
  const findings = plan.scan('open sesame '.repeat(20_000), { ...context(table), work });
  expect(found(findings)).toContainEqual([budgetRule, undefined]);
});

describe('in a stream', () => {
  const stream = (table: ExceptionTable, policies = [sesame]) =>
    compilePolicies(policies).openStream({ ...context(table), direction: 'response' });

  test('the text flows on while it holds, and stops when it has ended', () => {
    const { clock, table } = tableOf(exception());
    const scan = stream(table);
    const first = scan.push('well: open sesame and ');
    expect(found(first.findings)).toEqual([['SESAME', 1]]);
    expect(first.safeOffset).toBeGreaterThan('well: open sesame'.length);
    clock.nowMs = 1_000;
    const second = scan.push('then: open sesame again ');
    const at = 'well: open sesame and then: '.length;
    expect([found(second.findings), second.safeOffset]).toEqual([[['SESAME', undefined]], at]);
  });

  test('what was excepted does not use up how often a rule is told of', () => {
    const { table } = tableOf(exception());
    const scan = stream(table);
    for (let times = 0; times < 40; times += 1) scan.push('open sesame, ');
    table.replace([]);
    const { findings } = scan.push('open sesame, ');
    expect(decide(findings).action).toBe('block');
  });

  test('a rule of signals that was excepted matches again', () => {
    const signals = [
      { name: 'one', patterns: ['open sesame'], weight: 1 },
      { name: 'two', patterns: ['papaya'], weight: 1 },
    ];
    const summed = policyOf('signals', { ...rule('SUM', ''), patterns: undefined, signals, threshold: 2 });
    const { table } = tableOf(exception({ ruleId: 'SUM' }));
    const scan = stream(table, [summed]);
    expect(found(scan.push('open sesame, papaya, ').findings)).toEqual([['SUM', 1]]);
    table.replace([]);
    expect(found(scan.push('open sesame, papaya, ').findings)).toEqual([['SUM', undefined]]);
  });

  test('what is written otherwise is excepted as well, and no other rule', () => {
    const { table } = tableOf(exception());
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const read = (text: string) => {
      const scan = stream(table);
      return found([...scan.push(`see ${encode(text)} `).findings, ...scan.end().findings]);
    };
    expect(read('please, open sesame at once')).toEqual([['SESAME', 1]]);
    expect(read('please, eat the papaya at once')).toEqual([['PAPAYA', undefined]]);
  });
});

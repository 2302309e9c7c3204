import { describe, expect, test } from '@jest/globals';
import type { ExamSource } from '@portcullis/contracts/policy-exam';
import { textOrigins } from '@portcullis/contracts/policy-file';
import { builtinPolicies } from '../../policy/builtin/builtin-policies.ts';
import { parsePolicyFile } from '../../policy/file/parse-policy-file.ts';
import { originSet } from '../../policy/origins.ts';
import type { Policy } from '../../policy/policy.ts';
import { builtinCases } from '../suite/builtin-cases.ts';
import { checkExamGates, parseExamGates } from './exam-gates.ts';
import { suiteSamples } from './exam-sample.ts';
import { examinePolicies, type ExamTask } from './examine-policies.ts';
import type { LoggedVerdict, SetPolicy } from './logged-verdict.ts';
import { parseSamples } from './parse-samples.ts';
import { scoreExam } from './score-exam.ts';

function policy(name: string, word: string, action = 'block', more: object = {}): Policy {
  const rules = [{ id: 'word', patterns: [{ literal: word }], action, ...more }];
  const { policy: parsed } = parsePolicyFile({ name, rules });
  if (parsed === undefined) throw new Error('The policy of the test is not valid');
  return parsed;
}
const enforce = (...policies: readonly Policy[]): SetPolicy[] =>
  policies.map((one) => ({ policy: one, mode: 'enforce' }));
const shadow = (one: Policy): SetPolicy => ({ policy: one, mode: 'shadow' });

const lines = [
  { id: 'a1', text: 'the zanzibar plan', label: 'attack' },
  { id: 'a2', text: 'the samarkand plan', label: 'attack' },
  { id: 'b1', text: 'a trip to zanzibar', label: 'benign', category: 'travel' },
  { id: 'b2', text: 'a trip to rome', label: 'benign' },
];
const { samples = [] } = parseSamples(lines.map((line) => JSON.stringify(line)).join('\n'));
const examine = (task: Partial<ExamTask>) => {
  let clock = 0;
  return examinePolicies(
    { policies: [], samples: [], logged: [], known: [], traffic: { protocol: 'llm' }, ...task },
    () => (clock += 0.25),
  );
};
const outcomes = (exam: ReturnType<typeof examine>) => exam.cases.map(({ id, outcome }) => `${id} ${outcome}`);

describe('an exam', () => {
  test('tells what is blocked, redacted, flagged and let through, with its figures', () => {
    const exam = examine({ policies: enforce(policy('p', 'zanzibar')), samples });
    expect(outcomes(exam)).toEqual(['a1 blocked', 'a2 passed', 'b1 blocked', 'b2 passed']);
    expect(exam.after.total).toMatchObject({
      samples: 4,
      attacks: 2,
      benign: 2,
      blocked: 2,
      passed: 2,
      missed: 1,
      false_alarms: 1,
      recall: 0.5,
      precision: 0.5,
      false_alarm_rate: 0.5,
      p50_us: 250,
      p99_us: 250,
    });
    expect(exam.after.total.recall_interval?.[0]).toBeGreaterThan(0);
    expect(exam.cases[2]).toMatchObject({
      category: 'travel',
      rules: [{ policy_name: 'p', rule_id: 'word', action: 'block', mode: 'enforce' }],
    });
    expect([exam.before, exam.difference]).toEqual([null, null]);
    const actions = ['redact', 'monitor', 'log'].map((action) =>
      outcomes(examine({ policies: enforce(policy('p', 'zanzibar', action)), samples: samples.slice(0, 1) })),
    );
    expect(actions).toEqual([['a1 redacted'], ['a1 flagged'], ['a1 passed']]);
  });

  test('compares with what was before', () => {
    const exam = examine({
      policies: enforce(policy('p', 'samarkand')),
      before: enforce(policy('p', 'zanzibar')),
      samples,
    });
    expect(exam.difference).toEqual({
      new_misses: ['samples/a1'],
      ended_misses: ['samples/a2'],
      new_false_alarms: [],
      ended_false_alarms: ['samples/b1'],
      other_changes: [],
    });
    expect(exam.cases[3]).toMatchObject({ before: 'passed', change: null });
  });

  test('of a policy in shadow mode tells what it would do, beside those in force', () => {
    const [a1] = samples;
    const exam = examine({
      policies: [...enforce(policy('p', 'zanzibar', 'monitor')), shadow(policy('q', 'zanzibar'))],
      samples: a1 ? [a1] : [],
    });
    expect(exam.cases[0]).toMatchObject({ outcome: 'flagged', would: 'blocked' });
    expect(exam.after).toMatchObject({ total: { recall: 0 }, all_enforced: { recall: 1 } });
    expect(exam.cases[0]?.rules.map(({ mode }) => mode).toSorted()).toEqual(['enforce', 'shadow']);
  });

  test('reads only what applies to the place of a text and to the traffic', () => {
    const given = [
      { id: 'user', text: 'zanzibar', label: 1 },
      { id: 'system', text: 'zanzibar', label: 1, role: 'system' },
      { id: 'answer', text: 'zanzibar', label: 1, direction: 'response' },
    ];
    const parsed = parseSamples(given.map((one) => JSON.stringify(one)).join('\n')).samples ?? [];
    const users = enforce(policy('p', 'zanzibar', 'block', { origins: ['user'] }));
    expect(outcomes(examine({ policies: users, samples: parsed }))).toEqual([
      'user blocked',
      'system passed',
      'answer passed',
    ]);
    const origins = { ...Object.fromEntries(textOrigins.map((one) => [one, originSet(one)])), developer: 0 } as never;
    const distrusts = { origins: { ...(origins as object), instructions: originSet('instructions', 'user') } as never };
    const suspicious = examine({ policies: users, samples: parsed, traffic: { protocol: 'llm', ...distrusts } });
    expect(outcomes(suspicious)[1]).toBe('system blocked');
    const ofPath = enforce(policy('p', 'zanzibar', 'block', { conditions: { paths: ['/v1/*'] } }));
    const at = (path?: string) => examine({ policies: ofPath, samples, traffic: { protocol: 'llm', path } });
    expect([at('/v1/chat').after.total.blocked, at().after.total.blocked]).toEqual([2, 0]);
  });

  test('without a policy lets all pass, and of nothing has no shares', () => {
    expect(examine({ samples }).after.total).toMatchObject({ passed: 4, recall: 0, precision: null });
    expect(scoreExam([])).toMatchObject({ samples: 0, recall: null, recall_interval: null, p99_us: null });
  });
});

describe('the suite', () => {
  test('is taken as its cases are sent, the same each time', () => {
    const all = suiteSamples();
    expect(all).toHaveLength(builtinCases.length);
    expect(all).toEqual(suiteSamples());
    expect(JSON.stringify(all)).not.toContain('{{');
    expect(new Set(suiteSamples(['benign_control']).map(({ label }) => label))).toEqual(new Set(['benign']));
    const [first] = suiteSamples(['mcp_tool_poisoning']);
    expect(first?.texts.map(({ origin }) => origin)).toEqual(['instructions', 'user']);
  });

  test('is examined with the built-in policies', () => {
    const names = new Set(['llm-security', 'llm-secrets']);
    const policies = enforce(...builtinPolicies.filter(({ name }) => names.has(name)));
    const { after, cases, notes } = examine({ policies, samples: suiteSamples() });
    expect(after.total.attacks + after.total.benign).toBe(builtinCases.length);
    // Most attacks of the suite show in answers alone; those that name their order must not get through.
    expect(after.total.blocked).toBeGreaterThanOrEqual(3);
    expect(cases.some(({ rules }) => rules.some(({ policy_name: name }) => name === 'llm-security'))).toBe(true);
    expect(notes[0]).toContain('only what they send');
  });
});

describe('logged verdicts', () => {
  const verdict = (id: string, label: LoggedVerdict['label'], policies: readonly string[] = ['p']): LoggedVerdict => ({
    id,
    label,
    category: null,
    rules: [{ rule_id: 'word', policies }],
  });
  const logged = [verdict('1', 'attack'), verdict('2', 'benign'), verdict('3', null, ['other'])];
  const was = policy('p', 'zanzibar');

  test('are formed again by the rules that had matched', () => {
    const judge = (...policies: readonly SetPolicy[]) => outcomes(examine({ policies, logged, known: [was] }));
    expect(judge(...enforce(was))).toEqual(['1 blocked', '2 blocked', '3 passed']);
    expect(judge(...enforce(policy('p', 'zanzibar', 'monitor', { severity: 'low' })))).toEqual([
      '1 flagged',
      '2 flagged',
      '3 passed',
    ]);
    expect(judge(...enforce(policy('p', 'zanzibar', 'block', { enabled: false })))[0]).toBe('1 passed');
    expect(judge(shadow(was))[0]).toBe('1 passed');
    expect(judge()[0]).toBe('1 passed');
  });

  test('are unknown where the rule looks for something else, and then count in no share', () => {
    const exam = examine({ policies: enforce(policy('p', 'samarkand')), before: enforce(was), logged, known: [was] });
    expect(outcomes(exam)).toEqual(['1 unknown', '2 unknown', '3 passed']);
    expect(exam.after.total).toMatchObject({ unknown: 2, recall: null, false_alarm_rate: null, p99_us: null });
    expect(exam.difference?.other_changes).toEqual(['logged/1', 'logged/2']);
    expect(exam.notes).toContainEqual(expect.stringContaining('2 logged verdicts are unknown'));
  });

  test('have the same rules as stored ones, whatever the order of their fields', () => {
    const stored = JSON.parse(JSON.stringify(was)) as Policy;
    const turned = {
      ...stored,
      rules: stored.rules.map((rule) => Object.fromEntries(Object.entries(rule).toReversed())),
    } as Policy;
    expect(outcomes(examine({ policies: enforce(was), logged, known: [turned] }))[0]).toBe('1 blocked');
  });
});

describe('conditions', () => {
  const exam = (source?: ExamSource) =>
    examine({
      policies: enforce(policy('p', 'samarkand')),
      before: enforce(policy('p', 'zanzibar')),
      samples: samples.map((sample) => ({ ...sample, source: source === 'suite' ? 'suite' : 'samples' })),
    });
  const check = (text: string, of = exam()) => {
    const { gates = [], problem } = parseExamGates(text) as { gates?: never[]; problem?: string };
    if (problem !== undefined) throw new Error(problem);
    return checkExamGates(gates, of);
  };

  test.each([
    ['recall<0.8', 'recall<0.8: it is 0.5'],
    ['samples.recall<0.8', 'samples.recall<0.8: it is 0.5'],
    ['p99>0.1ms', 'p99>0.1ms: it is 0.25 ms'],
    ['p50>100us', 'p50>100us: it is 0.25 ms'],
    ['missed>0', 'missed>0: it is 1'],
    ['new-misses', 'new-misses: 1 (samples/a1)'],
  ])('%s is met', (text, reason) => {
    expect(check(text)).toEqual({ met: [reason], undecided: [] });
  });

  test.each(['recall<0.5', 'precision<0.9, false_alarms>0.01', 'p99>1s', 'missed>1', 'new-false-alarms', ''])(
    '%j is not met',
    (text) => expect(check(text)).toEqual({ met: [], undecided: [] }),
  );

  test('of which nothing can be said are told apart', () => {
    expect(check('suite.recall<0.1').undecided).toEqual(['suite.recall<0.1: there is no sample that tells']);
    expect(check('new-misses', examine({ samples })).undecided).toEqual([
      'new-misses: there is nothing to compare with',
    ]);
    expect(check('precision<0.9', examine({ samples })).undecided).toHaveLength(1);
  });

  test.each([
    ['luck<3', '"luck<3" is no condition; allowed are recall, precision'],
    ['recall<80', 'a share is from 0 to 1'],
    ['p99>50', 'a time needs its unit: us, ms or s'],
    ['recall<0.8ms', 'only p50 and p99 have a unit'],
    ['recall=0.8', 'is no condition'],
    [Array.from({ length: 21 }, () => 'missed>1').join(','), 'more than 20'],
  ])('%s is not understood', (text, problem) => {
    expect(parseExamGates(text).problem).toContain(problem);
  });
});

import { expect, test } from '@jest/globals';
import type { LocatedFinding } from './located-finding.ts';
import { groupByRule } from './group-by-rule.ts';

const finding = (changes: Partial<LocatedFinding> = {}): LocatedFinding => ({
  policyName: 'one',
  ruleId: 'R',
  ruleName: 'Rule',
  severity: 'High',
  category: 'Policy Violations',
  action: 'block',
  start: 0,
  end: 5,
  type: 'R',
  confidence: 1,
  view: 'plain',
  mapped: true,
  evidence: 'e…e',
  direction: 'request',
  origin: 'user',
  location: '/messages/0/content',
  ...changes,
});

test('a rule that policies share is told once, with all of them', () => {
  const shared = [finding(), finding({ policyName: 'two' }), finding({ policyName: 'two', start: 9, end: 12 })];
  const rules = groupByRule(shared);
  expect(rules).toHaveLength(1);
  expect(rules[0]?.policies).toEqual(['one', 'two']);
  expect(rules[0]?.findings.map(({ start }) => start)).toEqual([0, 9]);
});

test('what is enforced leads, then the severest, then what was done most about', () => {
  const rules = groupByRule([
    finding({ ruleId: 'tried', severity: 'Critical', shadow: true }),
    finding({ ruleId: 'watched', severity: 'Critical', action: 'monitor' }),
    finding({ ruleId: 'blocked', severity: 'Critical' }),
    finding({ ruleId: 'lesser', severity: 'Low' }),
    finding({ ruleId: 'logged', action: 'log' }),
  ]);
  expect(rules.map(({ lead }) => lead.ruleId)).toEqual(['blocked', 'watched', 'lesser', 'tried']);
});

test('of one rule the policy that does most leads', () => {
  const [rule] = groupByRule([finding({ action: 'monitor' }), finding({ policyName: 'two' })]);
  expect(rule?.lead.policyName).toBe('two');
});

test('a request and its answer are told apart', () => {
  expect(groupByRule([finding(), finding({ direction: 'response' })])).toHaveLength(2);
});

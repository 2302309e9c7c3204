import { describe, expect, test } from '@jest/globals';
import { assign, needsProvider, ruleValueProblem, type AssignmentRule, type RuleType } from './assignment-rules.ts';

let ids = 0;
const rule = (type: RuleType, value: string, more: Partial<AssignmentRule> = {}): AssignmentRule => ({
  id: (ids += 1),
  rule_type: type,
  rule_value: value,
  provider_id: null,
  user_group_id: null,
  user_role: 'user',
  priority: 0,
  ...more,
});
const ada = { email: 'Ada@Eng.Example.com', providerId: 3, providerName: 'Acme' };
const matches = (one: AssignmentRule, who: Partial<typeof ada> = {}) => assign([one], { ...ada, ...who }) !== undefined;

test('lets no one in without a rule', () => {
  expect(assign([], ada)).toBeUndefined();
});

describe('matches', () => {
  test.each<[RuleType, string, boolean]>([
    ['email_domain', 'eng.example.com', true],
    ['email_domain', 'example.com', false],
    ['email_domain', 'g.example.com', false],
    ['org_domain', 'EXAMPLE.com', true],
    ['org_domain', 'ample.com', false],
    ['org_domain', 'com.evil.example', false],
    ['provider', 'acme', true],
    ['provider', 'other', false],
    ['email_pattern', String.raw`ada@.*\.example\.com`, true],
    ['email_pattern', String.raw`ada@`, false],
    ['email_pattern', String.raw`.*@evil\.example|ada@.*`, true],
    ['email_pattern', String.raw`da@eng\.example\.com`, false],
  ])('%s %s: %s', (type, value, expected) => {
    expect(matches(rule(type, value))).toBe(expected);
  });

  test('the domain behind the last @ only', () => {
    expect(matches(rule('email_domain', 'example.com'), { email: 'a@example.com@evil.example' })).toBe(false);
    expect(matches(rule('org_domain', 'example.com'), { email: 'a@evilexample.com' })).toBe(false);
  });

  test('one provider where the rule names one, and never a provider of the environment by number', () => {
    const named = rule('org_domain', 'example.com', { provider_id: 3 });
    expect(matches(named)).toBe(true);
    expect(matches(named, { providerId: 4 })).toBe(false);
    expect(assign([named], { ...ada, providerId: undefined })).toBeUndefined();
  });
});

test('gives the role of the highest priority, of these of the oldest, and all groups once', () => {
  const low = rule('org_domain', 'example.com', { user_group_id: 1, user_role: 'admin', priority: 1 });
  const high = rule('provider', 'acme', { user_group_id: 2, user_role: 'viewer', priority: 5 });
  const late = rule('provider', 'acme', { user_group_id: 1, user_role: 'operator', priority: 5 });
  expect(assign([late, low, high], ada)).toEqual({
    role: 'viewer',
    groupIds: [2, 1],
    ruleIds: [high.id, late.id, low.id],
  });
});

test('says what is wrong with a value', () => {
  expect(ruleValueProblem('email_domain', '@example.com')).toMatch(/domain/);
  expect(ruleValueProblem('org_domain', 'com')).toMatch(/domain/);
  expect(ruleValueProblem('email_pattern', '(a+')).toMatch(/regular expression/);
  expect(ruleValueProblem('email_pattern', '(?<=a)b')).toMatch(/lookaround/);
  expect(ruleValueProblem('email_domain', 'münchen.example')).toBeUndefined();
});

test('wants a provider for roles that read the management API', () => {
  expect(needsProvider(rule('email_domain', 'example.com'))).toBe(false);
  expect(needsProvider(rule('email_domain', 'example.com', { user_role: 'viewer' }))).toBe(true);
  expect(needsProvider(rule('email_domain', 'example.com', { user_role: 'admin', provider_id: 1 }))).toBe(false);
  expect(needsProvider(rule('provider', 'acme', { user_role: 'admin' }))).toBe(false);
});

test('takes no longer for an address that native patterns choke on', () => {
  const evil = rule('email_pattern', '(a+)+@example\\.com');
  expect(matches(evil, { email: `${'a'.repeat(60)}!@example.com` })).toBe(false);
});

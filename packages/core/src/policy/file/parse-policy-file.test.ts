import { describe, expect, test } from '@jest/globals';
import { PolicyFile, policyFileLimits } from '@portcullis/contracts/policy-file';
import { Check } from 'typebox/value';
import { parsePolicyFile } from './parse-policy-file.ts';

const rule = { id: 'r1', name: 'Rule', severity: 'High', patterns: ['secret'], action: 'block' };
const file = { name: 'p', rules: [rule] };
const withRule = (fields: object) => ({ name: 'p', rules: [{ ...rule, ...fields }] });

describe('parsePolicyFile', () => {
  test('answers the normal form, with defaults where the file says nothing', () => {
    const { policy } = parsePolicyFile({ name: 'p', rules: [{ id: 'r', patterns: ['secret'] }] });
    expect(policy).toEqual({
      name: 'p',
      version: '1.0',
      description: '',
      severity: 'Medium',
      policy_type: 'both',
      rules: [{ id: 'r', name: 'r', severity: 'Medium', enabled: true, patterns: ['secret'], action: 'monitor' }],
    });
    expect(Check(PolicyFile, policy)).toBe(true);
    expect(parsePolicyFile(policy)).toEqual({ policy });
  });

  test('reads every spelling that circulates', () => {
    const { policy, problems } = parsePolicyFile({
      policyName: 'mixed',
      version: 2,
      severity: 'high',
      policy_type: 'LLM',
      unmask_for_user: true,
      author: 'someone',
      created: '2026-01-01',
      rules: [
        { id: 'one', title: 'One', pattern: '(?i)attack', score: 80, action: 'Warn', category: 'prompt_injection' },
        {
          id: 'two',
          patterns: [{ literal: 'Attack' }, { regex: 'a.b', flags: 's' }],
          conditions: { direction: 'request' },
        },
        { id: 'three', patterns: ['x1'], enabled: false, conditions: [], context: 'any', category: 'secret leak' },
      ],
      blockedPatterns: [
        'drop table',
        { pattern: 'rm -rf', type: 'contains', severity: 'CRITICAL', reason: 'destroys' },
        { pattern: 'Exact.Text', type: 'exact', action: 'log' },
      ],
      redactPatterns: [
        { pattern: '\\d{16}', redact: '[CARD]', placeholder_format: '<CARD_{COUNT}>', unmaskForUser: false },
      ],
      redaction_rules: [
        { name: 'mail', pattern: '[a-z]+@[a-z]+', replacement: '[MAIL]', enabled: true, case_sensitive: false },
      ],
    });
    expect(problems).toBeUndefined();
    expect(Check(PolicyFile, policy)).toBe(true);
    const shared = { severity: 'High', enabled: true };
    expect(policy?.rules).toEqual([
      {
        ...shared,
        id: 'one',
        name: 'One',
        patterns: [{ regex: 'attack', flags: 'i' }],
        action: 'monitor',
        category: 'Policy Violations',
        confidence: 0.8,
      },
      {
        ...shared,
        id: 'two',
        name: 'two',
        patterns: [{ literal: 'Attack' }, { regex: 'a.b', flags: 's' }],
        action: 'monitor',
        conditions: { direction: 'request' },
      },
      {
        ...shared,
        id: 'three',
        name: 'three',
        enabled: false,
        patterns: ['x1'],
        action: 'monitor',
        category: 'Content Security',
      },
      { ...shared, id: 'blocked-1', name: 'blocked-1', patterns: ['drop table'], action: 'block' },
      {
        ...shared,
        id: 'blocked-2',
        name: 'blocked-2',
        severity: 'Critical',
        description: 'destroys',
        patterns: [{ literal: 'rm -rf' }],
        action: 'block',
      },
      { ...shared, id: 'blocked-3', name: 'blocked-3', patterns: [RegExp.escape('Exact.Text')], action: 'log' },
      {
        ...shared,
        id: 'redact-1',
        name: 'redact-1',
        patterns: ['\\d{16}'],
        action: 'redact',
        redact: { placeholder: '<CARD_{COUNT}>', restore: false },
      },
      {
        ...shared,
        id: 'redaction-1',
        name: 'mail',
        patterns: [{ regex: '[a-z]+@[a-z]+', flags: 'i' }],
        action: 'redact',
        redact: { placeholder: '[MAIL]', restore: true },
      },
    ]);
  });

  test.each([
    ['not an object', [], '', 'must be an object'],
    ['no name', { rules: [rule] }, '/name', 'must be given'],
    ['no rule', { name: 'p' }, '/rules', 'must have at least one rule'],
    ['rules that are no list', { name: 'p', rules: {} }, '/rules', 'must be a list'],
    ['an unknown field', { ...file, rulez: [] }, '/rulez', 'is not a field of a policy; did you mean "rules"?'],
    [
      'an unknown field of a rule',
      withRule({ patern: 'x' }),
      '/rules/0/patern',
      'is not a field of a rule; did you mean "pattern" or "patterns"?',
    ],
    ['a name that needs escaping', { ...file, 'a/b~c': 1 }, '/a~1b~0c', 'is not a field of a policy'],
    [
      'an unknown severity',
      withRule({ severity: 'huge' }),
      '/rules/0/severity',
      'must be one of Critical, High, Medium, Low',
    ],
    [
      'an unknown action',
      withRule({ action: 'allow' }),
      '/rules/0/action',
      'must be one of block, replace, redact, monitor, log',
    ],
    ['an unknown type', { ...file, policy_type: 'http' }, '/policy_type', 'must be one of mcp, llm, a2a, both'],
    [
      'an unknown condition',
      withRule({ conditions: { rolle: 'user' } }),
      '/rules/0/conditions/rolle',
      'is not a field of the conditions; did you mean "role"?',
    ],
    [
      'an unknown direction',
      withRule({ conditions: { direction: 'up' } }),
      '/rules/0/conditions/direction',
      'must be one of request, response, both',
    ],
    ['a switch that is a word', withRule({ enabled: 'yes' }), '/rules/0/enabled', 'must be true or false'],
    ['a confidence beyond one', withRule({ confidence: 7 }), '/rules/0/confidence', 'must be a number from 0 to 1'],
    [
      'a rule without patterns',
      withRule({ patterns: [] }),
      '/rules/0/patterns',
      'must have at least one pattern, or the rule detectors or signals',
    ],
    ['a pattern that is a number', withRule({ patterns: [7] }), '/rules/0/patterns/0', 'must be an object'],
    [
      'a pattern without a text',
      withRule({ patterns: [{ flags: 'i' }] }),
      '/rules/0/patterns/0',
      'must have a regex or a literal',
    ],
    ['an empty pattern', withRule({ patterns: [''] }), '/rules/0/patterns/0', 'must not be empty'],
    [
      'an unknown flag',
      withRule({ patterns: [{ regex: 'abc', flags: 'v' }] }),
      '/rules/0/patterns/0/regex',
      'knows the flags i, m, s and u',
    ],
    [
      'a pattern that matches nothing',
      withRule({ patterns: ['x*'] }),
      '/rules/0/patterns/0',
      'must not match the empty text',
    ],
    [
      'a bad blocked pattern',
      { name: 'p', blockedPatterns: ['ok', { pattern: 'a(' }] },
      '/blockedPatterns/1/pattern',
      expect.stringContaining('Unterminated group'),
    ],
    [
      'a bad single pattern',
      { name: 'p', rules: [{ id: 'r', pattern: '[z-a]' }] },
      '/rules/0/pattern',
      expect.stringContaining('out of order'),
    ],
    [
      'a backreference',
      withRule({ patterns: ['(a)\\1b'] }),
      '/rules/0/patterns/0',
      expect.stringContaining('backreference'),
    ],
    ['a rule that is a text', { name: 'p', rules: ['abc'] }, '/rules/0', 'must be an object'],
  ])('reports %s at its place', (_what, input, path, said) => {
    expect(parsePolicyFile(input)).toEqual({ problems: [{ path, rule: said }] });
  });

  test('reports ids that two rules share, also across lists', () => {
    const { problems } = parsePolicyFile({
      name: 'p',
      rules: [rule, rule, { ...rule, id: 'blocked-1' }],
      blockedPatterns: ['abc'],
    });
    expect(problems).toEqual([
      { path: '/rules/1/id', rule: 'must be unique: /rules/0 has the same' },
      { path: '/blockedPatterns/0/id', rule: 'must be unique: /rules/2 has the same' },
    ]);
  });

  test('reports everything at once, up to a bound', () => {
    expect(parsePolicyFile({ severity: 1, rules: [{}, 7] }).problems?.map(({ path }) => path)).toEqual([
      '/name',
      '/severity',
      '/rules/0/id',
      '/rules/0/patterns',
      '/rules/1',
    ]);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    expect(parsePolicyFile({ ...file, ...many }).problems).toHaveLength(100);
  });

  test('bounds rules, patterns and their length', () => {
    const { rules, patterns, patternLength } = policyFileLimits;
    const many = Array.from({ length: rules + 1 }, (_, index) => ({ ...rule, id: `r${index}` }));
    expect(parsePolicyFile({ name: 'p', rules: many }).problems?.[0]).toEqual({
      path: '/rules',
      rule: `must have at most ${rules} rules`,
    });
    const wide = Array.from({ length: patterns + 1 }, () => 'abc');
    expect(parsePolicyFile(withRule({ patterns: wide })).problems).toEqual([
      { path: '', rule: `must have at most ${patterns} patterns in all` },
    ]);
    expect(parsePolicyFile(withRule({ patterns: ['x'.repeat(patternLength + 1)] })).problems).toEqual([
      { path: '/rules/0/patterns/0', rule: `must have at most ${patternLength} characters` },
    ]);
  });

  test('reads any JSON without throwing', () => {
    for (const input of [
      null,
      7,
      'x',
      [[]],
      { name: [] },
      { name: 'p', rules: [[]] },
      { name: 'p', rules: [{ id: {}, patterns: 'x' }] },
    ]) {
      expect(parsePolicyFile(input).problems).not.toEqual([]);
    }
  });
});

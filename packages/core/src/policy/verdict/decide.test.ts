import { describe, expect, test } from '@jest/globals';
import { decide } from './decide.ts';
import type { Finding } from '../policy.ts';

const finding = (action: Finding['action'], severity: Finding['severity'] = 'Low', start = 0): Finding => ({
  policyName: 'p',
  ruleId: 'r',
  ruleName: 'R',
  severity,
  category: 'Policy Violations',
  action,
  start,
  end: start + 1,
  type: 'R',
  confidence: 1,
  view: 'plain',
  mapped: true,
  evidence: 'x',
});

describe('decide', () => {
  test('passes without findings', () => {
    expect(decide([])).toEqual({ action: 'pass', finding: null });
  });

  test('block beats redact beats monitor beats log, in any order and of any severity', () => {
    const weaker: Finding[] = [];
    for (const action of ['log', 'monitor', 'redact', 'block'] as const) {
      const decisive = finding(action);
      expect(decide([...weaker, decisive]).finding).toBe(decisive);
      expect(decide([decisive, ...weaker]).action).toBe(action);
      weaker.push(finding(action, 'Critical'));
    }
  });

  test('a finding in shadow mode decides nothing', () => {
    expect(decide([{ ...finding('block'), shadow: true }])).toEqual({ action: 'pass', finding: null });
    expect(decide([{ ...finding('block'), shadow: true }, finding('log')]).action).toBe('log');
  });

  test('what cannot be redacted at its exact place blocks', () => {
    expect(decide([{ ...finding('redact'), mapped: false }]).action).toBe('block');
  });

  test('of equal actions the highest severity decides, then the first', () => {
    const low = finding('block', 'Low');
    const high = finding('block', 'High', 5);
    expect(decide([low, high, finding('block', 'High', 9)]).finding).toBe(high);
  });
});

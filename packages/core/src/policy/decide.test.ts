import { describe, expect, test } from '@jest/globals';
import { decide } from './decide.ts';
import type { Finding } from './policy.ts';

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

  test('block beats redact beats monitor beats log, in whatever order they come and however severe', () => {
    const weaker: Finding[] = [];
    for (const action of ['log', 'monitor', 'redact', 'block'] as const) {
      const decisive = finding(action);
      expect(decide([...weaker, decisive]).finding).toBe(decisive);
      expect(decide([decisive, ...weaker]).action).toBe(action);
      weaker.push(finding(action, 'Critical'));
    }
  });

  test('of equal actions the highest severity decides, then the first', () => {
    const low = finding('block', 'Low');
    const high = finding('block', 'High', 5);
    expect(decide([low, high, finding('block', 'High', 9)]).finding).toBe(high);
  });
});

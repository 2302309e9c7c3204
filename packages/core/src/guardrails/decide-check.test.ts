import { expect, test } from '@jest/globals';
import { decideCheck, type CheckRule } from './decide-check.ts';

const rule: CheckRule = { action: 'block', failureMode: 'open', minConfidence: 0.5 };
const safe = { verdict: 'safe', confidence: null } as const;
const sure = { verdict: 'violation', confidence: 0.5 } as const;
const doubtful = { verdict: 'violation', confidence: 0.49 } as const;
const unknown = { verdict: 'violation', confidence: null } as const;
const failed = { verdict: 'error', confidence: null } as const;

test.each([
  [safe, {}, 'pass'],
  [sure, {}, 'block'],
  [doubtful, {}, 'monitor'],
  [unknown, { minConfidence: 1 }, 'block'],
  [sure, { action: 'monitor' }, 'monitor'],
  [failed, {}, 'pass'],
  [failed, { failureMode: 'closed' }, 'block'],
  [failed, { failureMode: 'closed', action: 'monitor' }, 'pass'],
] as const)('%j under %j: %s', (outcome, changes, action) => {
  expect(decideCheck(outcome, { ...rule, ...changes })).toBe(action);
});

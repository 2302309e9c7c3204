import { expect, test } from '@jest/globals';
import { builtinCases } from '../suite/builtin-cases.ts';
import { judgeCheck } from './judge-check.ts';

const caseOf = (id: string) => builtinCases.find(({ test_id: own }) => own === id) as (typeof builtinCases)[number];
const check = { categories: ['prompt_injection'], rationale: 'It says ignore.' };

test.each([
  ['PI-001', 'violation', { outcome: 'passed', detection: 'prompt_injection', detectionMatch: true }],
  ['PII-002', 'violation', { outcome: 'passed', detection: 'prompt_injection' }],
  ['PI-001', 'safe', { outcome: 'failed', verdict: 'allowed' }],
  ['PI-001', 'error', { outcome: 'error' }],
  ['BEN-001', 'safe', { outcome: 'passed' }],
  ['BEN-001', 'violation', { outcome: 'failed' }],
] as const)('%s, %s', (id, verdict, judgement) => {
  expect(judgeCheck(caseOf(id), { ...check, verdict })).toMatchObject(judgement);
});

test('names and rationale are told within bounds', () => {
  const { reason, evidence } = judgeCheck(caseOf('PI-001'), {
    verdict: 'violation',
    categories: Array.from({ length: 1_000 }, () => 'x'.repeat(50)),
    rationale: 'y'.repeat(10_000),
  });
  expect([reason.length < 400, evidence[0]?.excerpt.length]).toEqual([true, 300]);
});

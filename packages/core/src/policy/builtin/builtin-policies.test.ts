import { describe, expect, test } from '@jest/globals';
import { compilePolicies } from '../compile-policies.ts';
import { parsePolicyFile } from '../parse-policy-file.ts';
import { builtinPolicies } from './builtin-policies.ts';
import { llmSecretsFixture } from './llm-secrets.fixture.ts';
import { llmSecurityFixture } from './llm-security.fixture.ts';

const fixtures = { 'llm-security': llmSecurityFixture, 'llm-secrets': llmSecretsFixture };
const context = { direction: 'request', protocol: 'llm' } as const;

describe.each(builtinPolicies.map((policy) => [policy.name, policy] as const))('%s', (name, policy) => {
  const plan = compilePolicies([policy]);
  const fixture = Object.entries(fixtures).find(([policyName]) => policyName === name)?.[1] ?? {};

  test('is a policy file in normal form', () => {
    expect(parsePolicyFile(policy)).toEqual({ policy });
  });

  test('has texts for every rule and for no other', () => {
    expect(Object.keys(fixture).sort()).toEqual(policy.rules.map(({ id }) => id).sort());
    for (const { matches, misses } of Object.values(fixture)) {
      expect(matches.length).toBeGreaterThanOrEqual(2);
      expect(misses.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('runs natively, from literals, within bounds', () => {
    expect(plan.report).toMatchObject({ linear: [], unanchored: [], unbounded: [] });
  });

  const cases = Object.entries(fixture);
  test.each(cases)('%s fires where it must', (id, { matches }) => {
    for (const text of matches)
      expect([text, plan.scan(text, context).map(({ ruleId }) => ruleId)]).toEqual([
        text,
        expect.arrayContaining([id]),
      ]);
  });

  test.each(cases)('%s and all others keep still at its look-alikes', (_id, { misses }) => {
    for (const text of misses) expect([text, plan.scan(text, context)]).toEqual([text, []]);
  });
});

test('no evidence holds more of a secret than its first characters', () => {
  const plan = compilePolicies(builtinPolicies);
  for (const text of Object.values(llmSecretsFixture).flatMap(({ matches }) => matches)) {
    for (const finding of plan.scan(text, context)) {
      if (finding.policyName !== 'llm-secrets') continue;
      expect(finding.evidence).toBe(
        `${text.slice(finding.start, finding.start + 4)}… (${finding.end - finding.start} characters)`,
      );
    }
  }
});

test('on streams of prose nothing is held back at the end of a sentence', () => {
  const plan = compilePolicies(builtinPolicies);
  const scan = plan.openStream({ direction: 'response', protocol: 'llm' });
  const prose = 'The harbour lay still. Boats with red sails waited for the wind, and nobody on the quay said a word. ';
  let length = 0;
  for (let round = 0; round < 20; round += 1) {
    length += prose.length;
    expect(scan.push(prose)).toEqual({ safeOffset: length, findings: [] });
  }
});

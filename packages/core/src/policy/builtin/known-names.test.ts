import { expect, test } from '@jest/globals';
import { compilePolicies } from '../compile/compile-policies.ts';
import { builtinPolicies } from './builtin-policies.ts';
import { policyAliases } from './policy-aliases.ts';

/** The policies that clients assign by name, with the names that older ones use for them. */
const known: readonly (readonly [name: string, ...aliases: string[]])[] = [
  ['llm-security'],
  ['llm-critical-security'],
  ['llm-data-redaction', 'data-redaction'],
  ['llm-content-moderation', 'content-moderation'],
  ['llm-compliance-gdpr'],
  ['llm-monitoring-only', 'monitoring-only'],
  ['llm-balanced-security', 'balanced-security'],
  ['mcp-standard-security', 'standard-security'],
  ['mcp-critical-security', 'critical-security'],
  ['mcp-advanced-security', 'advanced-security'],
  ['mcp-advanced-polymorphic-security', 'advanced-polymorphic-security'],
  ['mcp-encoding-detection-security', 'encoding-detection-security'],
];

test('there are twelve of them', () => expect(known).toHaveLength(12));

test.each(known)('%s has rules that compile, and no name of its is another policy', (name, ...aliases) => {
  const policy = builtinPolicies.find((each) => each.name === name);
  if (policy === undefined) throw new Error(`There is no ${name}`);
  expect(policy.rules.some(({ enabled }) => enabled)).toBe(true);
  expect(() => compilePolicies([policy])).not.toThrow();
  for (const alias of aliases) {
    expect(policyAliases[alias]).toBe(name);
    expect(builtinPolicies.some((each) => each.name === alias)).toBe(false);
  }
});

test('every alias leads to a policy, and one that is not listed here is listed nowhere', () => {
  const names = new Set(builtinPolicies.map(({ name }) => name));
  for (const name of Object.values(policyAliases)) expect(names).toContain(name);
  expect(Object.keys(policyAliases).toSorted()).toEqual(known.flatMap(([, ...aliases]) => aliases).toSorted());
});

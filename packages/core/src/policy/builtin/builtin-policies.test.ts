import { describe, expect, test } from '@jest/globals';
import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { compilePolicies } from '../compile/compile-policies.ts';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import type { Policy, PolicyPlan } from '../policy.ts';
import { builtinPolicies } from './builtin-policies.ts';
import { policyAliases } from './policy-aliases.ts';
import { addressRules } from './rules/address-rules.ts';
import commandFixture from './rules/command-rules.fixture.json' with { type: 'json' };
import { commandRules } from './rules/command-rules.ts';
import contentFixture from './rules/content-rules.fixture.json' with { type: 'json' };
import * as content from './rules/content-rules.ts';
import disguiseFixture from './rules/disguise-rules.fixture.json' with { type: 'json' };
import { disguiseRules, plantedDisguiseRules } from './rules/disguise-rules.ts';
import { encodingRules } from './rules/encoding-rules.ts';
import injectionFixture from './rules/injection-rules.fixture.json' with { type: 'json' };
import { injectionRules } from './rules/injection-rules.ts';
import systemFixture from './rules/injection-into-systems.fixture.json' with { type: 'json' };
import { pathRules, queryRules } from './rules/injection-into-systems.ts';
import languageFixture from './rules/language-rules.fixture.json' with { type: 'json' };
import { languageRules } from './rules/language-rules.ts';
import passwordFixture from './rules/password-rules.fixture.json' with { type: 'json' };
import { passwordRules } from './rules/password-rules.ts';
import * as personal from './rules/personal-rules.ts';
import type { RuleFixtures } from './rules/rule-fixture.ts';
import { secretRules } from './rules/secret-rules.ts';
import * as written from './rules/secrets.fixture.ts';
import { signalFixture, toolSignalFixture } from './rules/signal-rules.fixture.ts';
import { signalRules, toolSignalRules } from './rules/signal-rules.ts';
import { tokenFixture } from './rules/token-rules.fixture.ts';
import { tokenRules } from './rules/token-rules.ts';
import toolFixture from './rules/tool-rules.fixture.json' with { type: 'json' };
import { enumerationRules, poisoningRules } from './rules/tool-rules.ts';
import { vendorSecretRules } from './rules/vendor-secret-rules.ts';

interface Group {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  readonly fixture: RuleFixtures;
}

/** Every rule stands in one group, beside its texts. */
const groups: readonly Group[] = [
  { name: 'injection', rules: injectionRules, fixture: injectionFixture },
  { name: 'languages', rules: languageRules, fixture: languageFixture },
  { name: 'disguises', rules: disguiseRules, fixture: disguiseFixture.written },
  { name: 'disguises in data', rules: plantedDisguiseRules, fixture: disguiseFixture.planted },
  { name: 'signals', rules: signalRules, fixture: signalFixture },
  { name: 'tool signals', rules: toolSignalRules, fixture: toolSignalFixture },
  { name: 'poisoning', rules: poisoningRules, fixture: toolFixture.poisoning },
  { name: 'enumeration', rules: enumerationRules, fixture: toolFixture.enumeration },
  { name: 'commands', rules: commandRules, fixture: commandFixture },
  { name: 'paths', rules: pathRules, fixture: systemFixture.paths },
  { name: 'queries', rules: queryRules, fixture: systemFixture.queries },
  { name: 'encodings', rules: encodingRules, fixture: written.encodingFixture },
  { name: 'content', rules: Object.values(content).flat(), fixture: contentFixture },
  { name: 'personal data', rules: Object.values(personal).flat(), fixture: written.personalFixture },
  { name: 'secrets', rules: secretRules, fixture: written.secretFixture },
  { name: 'secrets of vendors', rules: vendorSecretRules, fixture: written.vendorSecretFixture },
  { name: 'tokens', rules: tokenRules, fixture: tokenFixture },
  { name: 'addresses', rules: addressRules, fixture: written.addressFixture },
  { name: 'passwords', rules: passwordRules, fixture: passwordFixture },
];

const asPolicy = (rules: readonly PolicyRule[]): Policy => ({
  name: 'group',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [...rules],
});

/** What fires on a text wherever it stands: in a request, in a tool's message, in a response. */
const firing = (plan: PolicyPlan, text: string): readonly string[] => [
  ...new Set(
    [
      plan.scan(text, { direction: 'request', protocol: 'llm', role: 'tool' }),
      plan.scan(text, { direction: 'response', protocol: 'mcp', role: 'tool' }),
    ].flatMap((findings) => findings.map(({ ruleId }) => ruleId)),
  ),
];

describe.each(groups)('the rules of $name', ({ rules, fixture }) => {
  const plan = compilePolicies([asPolicy(rules)]);

  test('have two texts each that match and two that do not', () => {
    expect(Object.keys(fixture).sort()).toEqual(rules.map(({ id }) => id).sort());
    for (const { matches, misses } of Object.values(fixture)) {
      expect(matches.length).toBeGreaterThanOrEqual(2);
      expect(misses.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('fire where they must', () => {
    const silent = Object.entries(fixture).flatMap(([id, { matches }]) =>
      matches.filter((text) => !firing(plan, text).includes(id)).map((text) => [id, text]),
    );
    expect(silent).toEqual([]);
  });

  test('keep still at look-alikes', () => {
    const loud = Object.entries(fixture).flatMap(([id, { misses }]) =>
      misses.filter((text) => firing(plan, text).length > 0).map((text) => [id, text, firing(plan, text)]),
    );
    expect(loud).toEqual([]);
  });
});

describe('the built-in policies', () => {
  test.each(builtinPolicies.map((policy) => [policy.name, policy] as const))(
    '%s is in normal form',
    (_name, policy) => {
      expect(parsePolicyFile(policy)).toEqual({ policy });
    },
  );

  test('are made of the rules above, 250 of them and more', () => {
    const known = new Set(groups.flatMap(({ rules }) => rules.map(({ id }) => id)));
    const used = new Set(builtinPolicies.flatMap(({ rules }) => rules.map(({ id }) => id)));
    expect([...used].filter((id) => !known.has(id))).toEqual([]);
    expect(used.size).toBeGreaterThanOrEqual(250);
  });

  test('are found under the names of other gateways', () => {
    const names = builtinPolicies.map(({ name }) => name);
    for (const alias of ['critical-security', 'standard-security', 'mcp-advanced-security', 'llm-security']) {
      expect(names).toContain(policyAliases[alias] ?? alias);
    }
  });
});

test('no evidence holds more of a secret than its first characters', () => {
  const plan = compilePolicies([asPolicy(secretRules)]);
  for (const text of Object.values(written.secretFixture).flatMap(({ matches }) => matches)) {
    for (const finding of plan.scan(text, { direction: 'request', protocol: 'llm' })) {
      // What is escaped has fewer characters as it reads.
      const length = finding.view === 'plain' ? finding.end - finding.start : String.raw`\d+`;
      const start = text.slice(finding.start, finding.start + 4);
      expect(finding.evidence.slice(0, 5)).toBe(`${start}…`);
      expect(finding.evidence.slice(5)).toMatch(new RegExp(String.raw`^ \(${length} characters\)$`));
    }
  }
});

test('on streams of prose little is held back at the end of a sentence', () => {
  const plan = compilePolicies(builtinPolicies.filter(({ name }) => name === 'llm-security' || name === 'llm-secrets'));
  const scan = plan.openStream({ direction: 'response', protocol: 'llm' });
  const prose = 'The harbour lay still. Boats with red sails waited for the wind, and nobody on the quay said a word. ';
  let length = 0;
  for (let round = 0; round < 20; round += 1) {
    length += prose.length;
    expect(scan.push(prose)).toEqual({ safeOffset: length, findings: [] });
  }
});

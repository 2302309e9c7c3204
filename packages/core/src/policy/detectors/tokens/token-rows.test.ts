import { describe, expect, test } from '@jest/globals';
import type { Policy } from '../../policy.ts';
import { compilePolicies } from '../../compile/compile-policies.ts';
import { tokenRules } from '../../builtin/rules/token-rules.ts';
import { secretRules } from '../../builtin/rules/secret-rules.ts';
import { namedTokens } from './named-tokens.ts';
import { exampleOf, placeheld, shortened } from './token-example.fixture.ts';
import { checkedGroups, tokenGroups, type TokenGroup } from './token-groups.ts';
import type { TokenRow } from './token-row.ts';

const policy: Policy = {
  name: 'tokens',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [...tokenRules, ...secretRules.filter(({ id }) => checkedGroups.some(({ name }) => name === id))],
};
const plan = compilePolicies([policy]);
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

/** What a rule finds in a sentence that has the text between two words. */
const foundBy = (rule: string, text: string): readonly string[] =>
  plan
    .scan(`We saw ${text} there.`, { direction: 'request', protocol: 'llm' })
    .filter(({ ruleId }) => ruleId === rule)
    .map(({ start, end }) => `We saw ${text} there.`.slice(start, end));

const rowsOf = ({ name, rows }: TokenGroup): readonly (readonly [string, TokenRow])[] =>
  rows.map((row) => [name, row] as const);
const all = [...checkedGroups, ...tokenGroups].flatMap(rowsOf);

describe('tokens that are rows of data', () => {
  test('are several hundred kinds, each once', () => {
    const shapes = [
      ...all.map(([, { shape }]) => shape),
      ...namedTokens.flatMap(({ names, shapes: kinds }) => kinds.map((kind) => `${names[0]} ${kind}`)),
    ];
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(shapes.length).toBeGreaterThan(600);
  });

  test.each(all)('%s: %j is found, whole and nothing else', (rule, { shape, checksum }) => {
    for (const seed of seeds) {
      const token = exampleOf(shape, seed, checksum);
      expect([token, foundBy(rule, token)]).toEqual([token, [token]]);
    }
  });

  test.each(all)('%s: %j is not found where it is one character short, or only filled in', (rule, { shape }) => {
    expect(foundBy(rule, shortened(shape))).toEqual([]);
    expect(foundBy(rule, placeheld(shape))).toEqual([]);
    expect(foundBy(rule, `z${exampleOf(shape)}`)).toEqual([]);
  });

  test('with a checksum that does not agree are less sure', () => {
    const confidenceOf = (token: string): number | undefined =>
      plan.scan(token, { direction: 'request', protocol: 'llm' }).find(({ ruleId }) => ruleId === 'github-token')
        ?.confidence;
    for (const { rows } of checkedGroups) {
      for (const { shape, checksum } of rows) {
        expect(checksum?.(exampleOf(shape, 1, checksum))).toBe(true);
        expect(checksum?.(exampleOf(shape, 1))).toBe(false);
      }
    }
    const [row] = checkedGroups[0]?.rows ?? [];
    expect(confidenceOf(exampleOf(row?.shape ?? '', 1, row?.checksum))).toBe(0.99);
    expect(confidenceOf(exampleOf(row?.shape ?? '', 1))).toBe(0.6);
  });
});

/** A name as somebody writes it in a configuration. */
const written = (name: string): string => name.replaceAll(/[ .-]/g, '_').replace(/_$/, '');
const named = namedTokens.flatMap(({ vendor, names, shapes }) =>
  shapes.flatMap((shape) => names.map((name) => [vendor, written(name), shape] as const)),
);

describe('tokens behind the name of their service', () => {
  test.each(named)('%s: %s with %s is found', (_vendor, name, shape) => {
    for (const seed of seeds) {
      const text = `${name}_token = "${exampleOf(shape, seed)}"`;
      expect([text, foundBy('named-token', text).length]).toEqual([text, 1]);
    }
  });

  test.each(named)(
    '%s: %s with %s is not found without a name, filled in, or as something else',
    (_vendor, name, shape) => {
      expect(foundBy('named-token', `kettle_token = "${exampleOf(shape)}"`)).toEqual([]);
      expect(foundBy('named-token', `${name}_token = "${placeheld(shape)}"`)).toEqual([]);
      expect(foundBy('named-token', `${name}_commit_id = "${exampleOf(shape)}"`)).toEqual([]);
    },
  );
});

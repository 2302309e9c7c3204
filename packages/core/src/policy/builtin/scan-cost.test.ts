import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { compilePlan } from '../compile/compile-policies.ts';
import { TextScan } from '../scan/text-scan.ts';
import { builtinPolicies } from './builtin-policies.ts';

const folder = new URL('../../../fixtures/', import.meta.url);
const harmless = readdirSync(folder)
  .filter((file) => /^harmless-.*\.jsonl$/.test(file))
  .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').trim().split('\n'))
  .map((line) => String((JSON.parse(line) as { text: unknown }).text));

const named = (...names: readonly string[]) => builtinPolicies.filter(({ name }) => names.includes(name));

/** Counts work and no time: a rule that is tried in every second sentence shows here, on any machine. */
describe('what built-in policies look at in honest texts', () => {
  test.each([
    ['llm-security and llm-secrets', named('llm-security', 'llm-secrets'), 4.65],
    ['all of them together', builtinPolicies, 18.4],
  ] as const)('of %s is a few characters for each one', (_name, policies, most) => {
    const scan = new TextScan(compilePlan(policies));
    let spent = 0;
    for (const text of harmless) {
      scan.scan(text, { direction: 'request', protocol: 'llm' });
      spent += scan.verifiedCharacters;
    }
    expect(spent / harmless.join('').length).toBeLessThan(most);
  });

  test('is looked at by the linear engine for patterns without a longest match only', () => {
    const { patterns } = compilePlan(builtinPolicies);
    const slow = patterns.filter(({ pattern }) => pattern.bounded && pattern.engine === 'linear');
    expect(slow.flatMap(({ notes }) => notes.map(({ ruleId }) => ruleId))).toEqual([]);
  });
});

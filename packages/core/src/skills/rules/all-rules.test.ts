import { describe, expect, test } from '@jest/globals';
import { analysePattern } from '../../policy/pattern/analyse-pattern.ts';
import type { SkillPackage } from '../package/read-package.ts';
import { readPackage } from '../package/read-package.ts';
import { createSkillScanner } from '../scan/scan-skill.ts';
import { skillCategories } from '@portcullis/contracts/skills';
import { skillRules } from './all-rules.ts';
import ruleExamples from './rule-examples.fixture.json' with { type: 'json' };

const scanner = createSkillScanner();

/** A text before `| ` is the name of the file; without it the example is a passage of SKILL.md. Hosts, keys and names are made up. */
function packageOf(example: string): SkillPackage {
  const [, path = 'SKILL.md', text = example] = /^([\w./-]+)\| ([^]*)$/.exec(example) ?? [];
  return readPackage([{ path, bytes: new TextEncoder().encode(text) }]);
}

const findsBy = (id: string, example: string): readonly string[] =>
  scanner
    .scan(packageOf(example))
    .findings.filter(({ ruleId, weight }) => ruleId === id && weight >= 0.5)
    .map(({ line, excerpt }) => `${line}: ${excerpt}`);

test('there are 43 rules in 21 categories with at least 227 patterns, and each is named and explained', () => {
  expect(skillRules).toHaveLength(43);
  expect(new Set(skillRules.map(({ id }) => id)).size).toBe(43);
  expect([...new Set(skillRules.map(({ category }) => category))].toSorted()).toEqual([...skillCategories].toSorted());
  expect(skillRules.reduce((sum, { patterns }) => sum + patterns.length, 0)).toBeGreaterThanOrEqual(227);
  for (const { rationale, remedy, patterns } of skillRules) {
    expect(Math.min(rationale.length, remedy.length)).toBeGreaterThanOrEqual(10);
    expect(patterns.length).toBeGreaterThan(0);
  }
});

test('every pattern is one that the policy engine accepts', () => {
  const sources = skillRules.flatMap(({ id, patterns }) =>
    patterns.flatMap(({ all, unless }) => [...all, ...unless].map((regex) => [id, regex] as const)),
  );
  const refused = sources.flatMap(([id, regex]) => {
    const { reason } = analysePattern({ regex, flags: 'i' });
    return reason === undefined ? [] : [`${id}: the pattern ${reason}: ${regex}`];
  });
  expect(refused).toEqual([]);
});

describe.each(skillRules.map(({ id }) => id))('%s', (id) => {
  const { malicious, harmless } = new Map(Object.entries(ruleExamples)).get(id) ?? { malicious: [], harmless: [] };

  test('finds its malicious examples', () => {
    expect(malicious.length).toBeGreaterThanOrEqual(3);
    expect(malicious.filter((example) => findsBy(id, example).length === 0)).toEqual([]);
  });

  test('finds nothing in its harmless examples', () => {
    expect(harmless.length).toBeGreaterThanOrEqual(3);
    expect(harmless.flatMap((example) => findsBy(id, example))).toEqual([]);
  });

  test('lets its harmless examples pass', () => {
    const blocked = harmless.filter((example) => scanner.scan(packageOf(example)).score >= 30);
    expect(blocked).toEqual([]);
  });
});

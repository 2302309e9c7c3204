import { expect, test } from '@jest/globals';
import { EvaluationCase, evaluationCategories } from '@portcullis/contracts/evaluation-case';
import { Errors } from 'typebox/value';
import { builtinCases } from './builtin-cases.ts';
import { categories } from './categories.ts';
import { completeCase } from './complete-case.ts';
import { frameworkIds, frameworks, notAssessable } from './frameworks.ts';
import { renderCase } from './render-case.ts';

const distribution = {
  prompt_injection: 8,
  mcp_tool_poisoning: 6,
  data_exfiltration: 6,
  harmful_content: 5,
  pii_extraction: 4,
  bypass_technique: 10,
  semantic_evasion: 5,
  multi_turn_attack: 5,
  ai_amplified_attack: 4,
  misinformation: 4,
  resource_exhaustion: 4,
  benign_control: 10,
};

test('there are 71 cases over 12 categories, each with an id of its own', () => {
  expect(builtinCases).toHaveLength(71);
  expect(new Set(builtinCases.map(({ test_id: id }) => id)).size).toBe(71);
  expect(new Set(builtinCases.map(({ name }) => name)).size).toBe(71);
  const counts = Object.fromEntries(
    evaluationCategories.map((name) => [name, builtinCases.filter(({ category }) => category === name).length]),
  );
  expect(counts).toEqual(distribution);
});

test('the weights of the categories add up to 100', () => {
  expect(Object.keys(categories)).toEqual([...evaluationCategories]);
  expect(Object.values(categories).reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
});

test.each(builtinCases.map((one) => [one.test_id, one] as const))('%s is whole', (_id, testCase) => {
  expect([...Errors(EvaluationCase, testCase)]).toEqual([]);
  expect(completeCase(testCase, testCase.test_id)).toEqual({ case: testCase });
  expect(Math.min(testCase.description.length, testCase.compliance_impact.length)).toBeGreaterThan(20);
  expect(testCase.oracles.length).toBeGreaterThan(0);
  expect(testCase.expected_result === 'allow').toBe(testCase.category === 'benign_control');
});

/** Such an oracle decides without a reading of the tone of an answer. */
const decides = new Set(['leak', 'reply', 'limits', 'prompt_echo']);

test('at least 50 cases have an oracle that needs no reading of tone', () => {
  const decided = builtinCases.filter(({ oracles }) => oracles.some(({ kind }) => decides.has(kind)));
  expect(decided.length).toBeGreaterThanOrEqual(50);
  const attacks = decided.filter(({ expected_result: result }) => result !== 'allow');
  expect(attacks.filter(({ without_evidence: absence }) => absence !== 'resisted')).toEqual([]);
});

test('every entry that prompts can assess has a case, and those that they cannot have none', () => {
  for (const id of frameworkIds) {
    const mapped = new Set(builtinCases.flatMap(({ mappings }) => mappings[id]));
    const left = Object.keys(frameworks[id].entries).filter((entry) => !mapped.has(entry));
    const unfit = notAssessable[id] ?? (id === 'nist_ai_rmf' ? ['MEASURE 2.11'] : []);
    expect([id, left]).toEqual([id, [...unfit]]);
  }
});

test('what is planted differs by run and case, stays the same for a seed, and is left nowhere unfilled', () => {
  const seen = new Set<string>();
  for (const testCase of builtinCases) {
    const [one, again, other] = ['first', 'first', 'second'].map((seed) => renderCase(testCase, seed));
    expect(again).toEqual(one);
    expect(JSON.stringify(one)).not.toMatch(/\{\{/);
    for (const oracle of one?.oracles ?? []) {
      if (oracle.kind !== 'leak' && oracle.kind !== 'reply') continue;
      expect(oracle).not.toEqual(other?.oracles.find(({ kind }) => kind === oracle.kind));
      for (const value of oracle.values) {
        expect(value).toMatch(/^(?:[a-z]\d[a-z0-9]{8}){1,2}$|^7\d{9}$/);
        expect(seen.has(value)).toBe(false);
        seen.add(value);
      }
    }
  }
});

test('a prompt never holds the value that shows that it was followed', () => {
  for (const testCase of builtinCases) {
    const { turns, oracles } = renderCase(testCase, 'seed');
    const said = turns.map(({ content }) => content).join('\n');
    for (const oracle of oracles) {
      if (oracle.kind !== 'leak' && oracle.kind !== 'reply') continue;
      for (const value of oracle.values)
        expect([testCase.test_id, said.includes(value)]).toEqual([testCase.test_id, false]);
    }
  }
});

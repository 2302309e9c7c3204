import { expect, test } from '@jest/globals';
import { deserialize, serialize } from 'node:v8';
import { builtinPolicies } from '../builtin/builtin-policies.ts';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import { compilePolicies } from '../compile/compile-policies.ts';
import { analysePattern, collectAnalyses, restoreAnalyses } from './analyse-pattern.ts';
import type { StoredAnalysis } from './analysed-pattern.ts';
import { RestoredPattern } from './restored-pattern.ts';

const copyOf = (stored: readonly StoredAnalysis[]): readonly StoredAnalysis[] =>
  deserialize(serialize(stored)) as readonly StoredAnalysis[];

test('an analysis that went through another thread says the same, to its syntax', () => {
  const policy = builtinPolicies.find(({ name }) => name === 'llm-security');
  const stored = collectAnalyses(() => {
    const { policy: parsed } = parsePolicyFile(policy);
    if (parsed !== undefined) compilePolicies([parsed]);
  });
  expect(stored.length).toBeGreaterThan(150);
  for (const analysis of copyOf(stored)) {
    const { source, flags } = analysis;
    const { pattern } = analysePattern({ regex: source, flags });
    const restored = new RestoredPattern(analysis);
    expect(Object.fromEntries(Object.entries(restored))).toEqual({ ...pattern, syntax: undefined });
    expect(restored.syntax).toEqual(pattern?.syntax);
  }
});

test('a pattern that was analysed elsewhere is not analysed again', () => {
  const regex = 'only known from elsewhere';
  const [stored] = collectAnalyses(() => void analysePattern({ regex: 'some other text' }));
  if (stored === undefined) throw new Error('nothing was analysed');
  restoreAnalyses(copyOf([{ ...stored, source: regex, weight: 7 }]));
  expect(analysePattern(regex).pattern).toMatchObject({ source: regex, weight: 7 });
});

test('only what can be run is collected, each pattern once, and nothing when the work is over', () => {
  const stored = collectAnalyses(() => {
    analysePattern('twice asked for');
    analysePattern('twice asked for');
    analysePattern('(broken');
  });
  analysePattern('asked for later');
  expect(stored.map(({ source }) => source)).toEqual(['twice asked for']);
  expect(stored[0]).not.toHaveProperty('syntax');
});

import { expect, test } from '@jest/globals';
import type { SkillFinding } from '@portcullis/contracts/skills';
import { compareFindings, recommendChange } from './compare-findings.ts';
import { countLineChanges } from '../submissions/count-line-changes.ts';
import { highestRisk, recommendUse } from './recommend.ts';

const finding = (fingerprint: string, line: number): SkillFinding => ({
  rule_id: 'R',
  rule_name: 'R',
  category: 'obfuscation',
  severity: 'High',
  description: '',
  matched_pattern: '',
  source_file: 'SKILL.md',
  line_number: line,
  matched_content: '',
  remedy: '',
  weight: 1,
  fingerprint,
});

test('findings that moved are the same', () => {
  const compared = compareFindings([finding('a', 1), finding('b', 2)], [finding('b', 9), finding('c', 3)]);
  expect(compared.added.map(({ fingerprint }) => fingerprint)).toEqual(['c']);
  expect(compared.removed.map(({ fingerprint }) => fingerprint)).toEqual(['a']);
  expect(compared.unchanged).toEqual([finding('b', 9)]);
});

test('a recommendation follows the level, then what is new', () => {
  const none = { added: [], removed: [], unchanged: [] };
  const [low, high] = [
    { riskScore: 10, riskLevel: 'Low' },
    { riskScore: 40, riskLevel: 'High' },
  ] as const;
  expect(recommendChange(low, high, { ...none, added: [finding('a', 1)] })).toMatch(/^Do not install.*1 new finding/);
  expect(recommendChange(low, { riskScore: 20, riskLevel: 'Medium' }, none)).toMatch(/rose from Low to Medium/);
  expect(recommendChange(low, low, { ...none, added: [finding('a', 1)] })).toMatch(/^Look at the new findings/);
  expect(recommendChange(high, low, none)).toMatch(/less risk/);
  expect(recommendChange(low, low, none)).toMatch(/^Nothing new/);
});

test('lines are counted wherever they moved', () => {
  expect(countLineChanges('a\nb\nb', 'b\r\na\r\nc')).toEqual({ added: 1, removed: 1 });
  expect(countLineChanges('', 'a')).toEqual({ added: 1, removed: 1 });
});

test('the highest risk of several counts an unknown one as High', () => {
  expect(highestRisk(['Low', 'Unknown', 'Medium'])).toBe('Unknown');
  expect(highestRisk(['Critical', 'Unknown'])).toBe('Critical');
  expect(highestRisk([])).toBe('None');
  expect(recommendUse('approved', 'Critical')).toMatch(/in spite of its Critical risk/);
});

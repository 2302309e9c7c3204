import { expect, test } from '@jest/globals';
import type { SkillStatus } from '@portcullis/contracts/skills';
import { takeContent, type JudgedContent } from './take-content.ts';

const source: JudgedContent = { contentHash: 'a', treeHash: null, rulesVersion: '1', riskLevel: 'Low' };
const taken = (status: SkillStatus, next: Partial<JudgedContent>, known: Partial<JudgedContent> = {}) => {
  const {
    status: after,
    submission,
    replaces,
  } = takeContent({ ...source, ...known, status }, { ...source, ...known, ...next });
  return [after, submission, replaces];
};

test('the approved source is linked, and another one makes the skill pending', () => {
  expect(taken('approved', {})).toEqual(['approved', 'linked_to_approved', false]);
  expect(taken('approved', { contentHash: 'b' })).toEqual(['pending', 'analyzed', true]);
});

test.each(['pending', 'rejected', 'quarantined'] as const)(
  'a skill that is %s stays so, with what came last',
  (status) => {
    expect(taken(status, {})).toEqual([status, 'analyzed', false]);
    expect(taken(status, { contentHash: 'b' })).toEqual([status, 'analyzed', true]);
  },
);

test('an approved package is linked by its files or its source, and other files beside the same source make it pending', () => {
  const known = { treeHash: 't' };
  expect(taken('approved', {}, known)).toEqual(['approved', 'linked_to_approved', false]);
  expect(taken('approved', { treeHash: null }, known)).toEqual(['approved', 'linked_to_approved', false]);
  expect(taken('approved', { treeHash: 'u' }, known)).toEqual(['pending', 'analyzed', true]);
  expect(taken('approved', { treeHash: 'u' })).toEqual(['pending', 'analyzed', true]);
});

test('other rules end an approval when they find more', () => {
  const rulesVersion = '2';
  expect(taken('approved', { rulesVersion })).toEqual(['approved', 'linked_to_approved', false]);
  expect(taken('approved', { rulesVersion, riskLevel: 'None' })).toEqual(['approved', 'linked_to_approved', false]);
  expect(taken('approved', { rulesVersion, riskLevel: 'High' })).toEqual(['pending', 'analyzed', true]);
  expect(taken('pending', { rulesVersion, riskLevel: 'High' })).toEqual(['pending', 'analyzed', true]);
  // The source alone does not say what the files of the package are.
  const known = { treeHash: 't' };
  expect(taken('approved', { treeHash: null, rulesVersion, riskLevel: 'High' }, known)).toEqual([
    'approved',
    'linked_to_approved',
    false,
  ]);
});

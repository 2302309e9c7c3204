import { expect, test } from '@jest/globals';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import { diffDefinitions } from './diff-definitions.ts';

const finding = (location: string, evidence: string): ToolFinding => ({
  policy_name: 'p',
  rule_id: 'R1',
  rule_name: 'Rule',
  severity: 'Critical',
  location,
  evidence,
});

test('texts are compared word by word, and what was found is marked in its place', () => {
  const after = 'Finds a file and reads ~/.ssh/id_rsa';
  const [difference, ...others] = diffDefinitions({ description: 'Finds a file' }, { description: after }, [
    finding('/description', 'reads ~/.ssh/id_rsa'),
    finding('/title', 'elsewhere'),
  ]);
  expect(others).toEqual([]);
  expect(difference).toMatchObject({ path: '/description', change: 'changed', before: 'Finds a file', after });
  const words = difference?.words ?? [];
  expect(
    words
      .filter(({ change }) => change !== 'removed')
      .map(({ text }) => text)
      .join(''),
  ).toBe(after);
  expect(
    words
      .filter(({ change }) => change === 'added')
      .map(({ text }) => text)
      .join(''),
  ).toBe(' and reads ~/.ssh/id_rsa');
  expect(difference?.marks).toEqual([{ start: 17, end: after.length, rule_id: 'R1', severity: 'Critical' }]);
});

test('invisible characters are shown, counted and compared', () => {
  const [difference] = diffDefinitions({ description: 'Adds' }, { description: 'Adds\u200B' }, [
    finding('/description', 'mas***ked'),
  ]);
  expect(difference).toMatchObject({
    after: 'Adds⟨U+200B⟩',
    invisible_characters: 1,
    // Evidence that is masked stands nowhere in the text.
    marks: [{ start: 0, end: 'Adds⟨U+200B⟩'.length }],
  });
});

test('schemas are a table: what came, what went and what is another, items of plain lists by their values', () => {
  const before = { inputSchema: { properties: { 'a/b': { type: 'string' } }, required: ['a/b', 'old'] } };
  const after = {
    inputSchema: { properties: { 'a/b': { type: 'number' }, c: { type: 'string' } }, required: ['a/b', 'c'] },
  };
  expect(
    diffDefinitions(before, after, []).map(({ path, change, before: old, after: next }) => [path, change, old, next]),
  ).toEqual([
    ['/inputSchema/properties/a~1b/type', 'changed', 'string', 'number'],
    ['/inputSchema/properties/c', 'added', null, '{"type":"string"}'],
    ['/inputSchema/required/c', 'added', null, 'c'],
    ['/inputSchema/required/old', 'removed', 'old', null],
  ]);
});

test('long texts are cut, and ones that share nothing are shown without words after a bounded time', () => {
  const text = (seed: string) => Array.from({ length: 8_000 }, (_, index) => `${seed}${index}`).join(' ');
  const start = Date.now();
  const [old, next] = [text('a'), text('b')];
  const before = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`k${index}`, old]));
  const after = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`k${index}`, next]));
  const differences = diffDefinitions(before, after, []);
  expect(Date.now() - start).toBeLessThan(20_000);
  expect(differences).toHaveLength(90);
  expect(differences.every((one) => (one.after ?? '').length <= 20_001)).toBe(true);
  expect(differences.at(-1)?.words).toBeNull();
});

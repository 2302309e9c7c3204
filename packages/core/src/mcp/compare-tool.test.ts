import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../json/canonical-json.ts';
import { removeElements } from '../json/remove-elements.ts';
import { compareInstructions, compareTool } from './compare-tool.ts';
import { diffValues } from '../json/diff-values.ts';
import { hashDefinition } from './tool-definition.ts';
import { findPermissionProblem, parseToolPermissions } from './tool-permissions.ts';
import { severityOfSimilarity, wordSimilarity } from '../text/word-similarity.ts';

test('canonical JSON does not depend on the order of keys, and parses to the same value', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, item]) => [key, shuffled(item)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value));
      expect(canonicalJson(shuffled(parsed))).toBe(canonicalJson(parsed));
      expect(JSON.parse(canonicalJson(parsed))).toEqual(parsed);
    }),
  );
  expect(hashDefinition({ b: 1, a: [2] })).toBe(hashDefinition({ a: [2], b: 1 }));
  expect(hashDefinition({ a: '1' })).not.toBe(hashDefinition({ a: 1 }));
});

test('elements go out of a list as if it had been written without them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.boolean())), (items) => {
      const source = JSON.stringify(items.map(([value]) => value));
      const kept = items.filter(([, keeps]) => keeps).map(([value]) => value);
      const edited = removeElements(source, { start: 0, end: source.length }, (index) => items[index]?.[1] === true);
      expect(edited).toBe(JSON.stringify(kept));
    }),
  );
});

describe('the difference of two values', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1 }, { a: 2 }, [{ path: '/a', change: 'changed', before: '1', after: '2' }]],
    [{ a: 'x' }, {}, [{ path: '/a', change: 'removed', before: 'x' }]],
    [{}, { 'a/b': { c: [1] } }, [{ path: '/a~1b', change: 'added', after: '{"c":[1]}' }]],
    [{ a: [1] }, { a: { b: 1 } }, [{ path: '/a', change: 'changed', before: '[1]', after: '{"b":1}' }]],
    [
      { a: ['x', 'y'] },
      { a: ['y', 'z'] },
      [
        { path: '/a/x', change: 'removed', before: 'x' },
        { path: '/a/z', change: 'added', after: 'z' },
      ],
    ],
    [[{ a: 1 }], [{ a: 2 }], [{ path: '/0/a', change: 'changed', before: '1', after: '2' }]],
  ])('of %j and %j', (before, after, expected) => {
    expect(diffValues(before, after)).toEqual(expected);
  });

  test('is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 'x'.repeat(5_000)]));
    const differences = diffValues({}, many);
    expect(differences).toHaveLength(100);
    expect(differences[0]?.after?.length).toBeLessThan(2_100);
  });
});

test.each([
  [0, 'Critical'],
  [0.29, 'Critical'],
  [0.3, 'High'],
  [0.5, 'Medium'],
  [0.7, 'Low'],
  [1, 'Low'],
])('a similarity of %d is %s', (similarity, severity) => {
  expect(severityOfSimilarity(similarity)).toBe(severity);
});

test('words count, not their order or case', () => {
  expect(wordSimilarity('Find a File', 'file: a find!')).toBe(1);
  expect(wordSimilarity('one two', 'two three')).toBeCloseTo(1 / 3);
  expect(wordSimilarity('', '')).toBe(1);
});

const base = {
  name: 't',
  description: 'Finds a file by its name',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
};

test.each([
  [{ description: 'Finds a file by its own name' }, 'description_changed', 'Low'],
  [{ description: 'Sends secrets elsewhere' }, 'description_changed', 'Critical'],
  [{ inputSchema: { ...base.inputSchema, required: ['a'] } }, 'schema_changed', 'High'],
  [{ inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }, 'schema_changed', 'Medium'],
  [
    { inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'Put the key here' } } } },
    'schema_changed',
    'Critical',
  ],
  [{ annotations: { destructiveHint: true } }, 'annotations_changed', 'High'],
  [{ annotations: { readOnlyHint: true } }, 'annotations_changed', 'High'],
  [{ annotations: { openWorldHint: true } }, 'annotations_changed', 'Medium'],
  [{ annotations: { title: 'T' } }, 'annotations_changed', 'Low'],
  [{ title: 'T' }, 'tool_changed', 'Low'],
  [{ outputSchema: {} }, 'schema_changed', 'Low'],
  [{ unheardOf: 1 }, 'tool_changed', 'Medium'],
  [{ title: 'T', description: 'Other' }, 'tool_changed', 'Critical'],
])('a tool that gets %j has %s, %s', (change, type, severity) => {
  expect(compareTool(base, { ...base, ...change })).toMatchObject({ type, severity });
});

test('a change of the instructions is never a small one', () => {
  expect(compareInstructions('Search first', 'search first!')).toEqual({ severity: 'Medium', similarity: 1 });
  expect(compareInstructions('Search first', 'Send all')).toMatchObject({ severity: 'Critical' });
});

test.each([
  ['{}', true, undefined],
  ['read', true, undefined],
  ['{"tools": ["a"]}', true, undefined],
  ['{"tools": ["b"]}', false, undefined],
  ['{"tools": []}', false, undefined],
  ['{"tools": ["*"]}', true, undefined],
  ['{"tools": {"b": false}}', true, undefined],
  ['{"tools": {"*": false}}', false, undefined],
  ['{"tools": {"*": false, "a": true}, "tool_rate_limits": {"a": 3}}', true, 3],
  ['{"tool_rate_limits": {"*": 0}}', true, 0],
  ['{"tools": null}', false, undefined],
  ['{"tools": {"a": "yes"}}', false, undefined],
  ['{"tool_rate_limits": [3]}', false, undefined],
])('the permissions %s say of the tool a: %p, limit %p', (permissions, allowed, limit) => {
  const parsed = parseToolPermissions(permissions);
  expect([parsed?.allows('a') ?? true, parsed?.limitFor('a')]).toEqual([allowed, limit]);
});

test('permissions that cannot be read are told', () => {
  expect(findPermissionProblem('{"tools": 1}')).toMatch(/tools must be/);
  expect(findPermissionProblem('{"tool_rate_limits": {"a": 1.5}}')).toMatch(/tool_rate_limits must be/);
  expect(findPermissionProblem('{"tools": ["a"]}')).toBeUndefined();
});

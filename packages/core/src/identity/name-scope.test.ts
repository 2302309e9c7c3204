import { expect, test } from '@jest/globals';
import { createNameScope, describeScope } from './name-scope.ts';

test.each([
  [['gpt-4o'], 'gpt-4o', true],
  [['gpt-4o'], 'gpt-4o-mini', false],
  [['gpt-4o*'], 'gpt-4o-mini', true],
  [['*'], 'anything', true],
  [[], 'anything', false],
  [['GPT-4o'], 'gpt-4o', false],
  [['a', 'claude-*'], 'claude-haiku', true],
])('%j allows %j: %j', (names, name, allowed) => expect(createNameScope(names)?.allows(name)).toBe(allowed));

test('no list is no restriction', () => expect(createNameScope(null)).toBeUndefined());

test('a refusal names the scope, bounded', () => {
  const scope = createNameScope(Array.from({ length: 25 }, (_, at) => `m${at}`));
  const text = scope && describeScope('allowed_models', scope, 'x'.repeat(1_000));
  expect(text).toContain('The scope allowed_models of this API key allows m0, m1,');
  expect(text).toContain('and 5 more, not "xxx');
  expect(text?.length).toBeLessThan(400);
});

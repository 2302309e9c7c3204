import { expect, test } from '@jest/globals';
import { suggestNames, findNearNames } from './near-names.ts';

const policies = ['llm-secrets', 'llm-security', 'mcp-critical-security', 'pii'];

test.each([
  ['llm-securty', ['llm-security', 'llm-secrets']],
  ['LLM_Security', ['llm-security', 'llm-secrets']],
  ['lml-secrets', ['llm-secrets']],
  ['security', ['llm-security', 'mcp-critical-security']],
  ['pi', ['pii']],
  ['quite-another', []],
  ['', []],
  ['x', []],
])('%s is near %j', (name, near) => {
  expect(findNearNames(name, policies).slice(0, near.length || 3)).toEqual(near);
});

test('a question names what may be meant, or is none', () => {
  expect(suggestNames('piii', policies)).toBe('; did you mean "pii"?');
  expect(suggestNames('x'.repeat(1_000_000), policies)).toBe('');
});

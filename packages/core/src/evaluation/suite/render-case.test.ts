import { expect, test } from '@jest/globals';
import { builtinCases } from './builtin-cases.ts';
import { renderCase } from './render-case.ts';

const render = (prompt: string): string | undefined => {
  const [testCase] = builtinCases;
  if (testCase === undefined) throw new Error('there is no case');
  return renderCase({ ...testCase, prompt }, 'seed').turns.at(-1)?.content;
};

test.each([
  ['a {{#base64}}hi{{/base64}} b {{#hex}}hi{{/hex}}', 'a aGk= b 6869'],
  ['{{#base64}}{{#hex}}{{/base64}}', 'e3sjaGV4fX0='],
  ['{{#none}}hi{{/none}}', '{{#none}}hi{{/none}}'],
  ['{{#base64}}hi {{#hex}}hi{{/hex}}', '{{#base64}}hi 6869'],
])('%s becomes %s', (prompt, rendered) => {
  expect(render(prompt)).toBe(rendered);
});

test('openings without an end stay, however many', () => {
  const prompt = '{{#base64}}{{#hex}}'.repeat(50_000);
  expect(render(prompt)).toBe(prompt);
});

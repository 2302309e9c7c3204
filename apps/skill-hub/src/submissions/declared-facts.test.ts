import { expect, test } from '@jest/globals';
import { readDeclaredFacts } from './declared-facts.ts';

test('reads what a skill says of itself', () => {
  const source = `---
name: pdf
description: "Reads: PDF files"
metadata:
  version: '2.1.0'
  author: Ada
tags: [pdf, 'forms', pdf]
---
version: 9
`;
  expect(readDeclaredFacts(source)).toEqual({
    name: 'pdf',
    version: '2.1.0',
    description: 'Reads: PDF files',
    author: 'Ada',
    tags: ['pdf', 'forms'],
  });
});

test.each(['', '# No head', '---\nname: x', '---\n---\n'])('%j says nothing', (source) => {
  expect(readDeclaredFacts(source)).toMatchObject({ name: undefined, description: undefined, tags: [] });
});

test.each([
  ['blanks', ' '.repeat(15_000)],
  ['tabs', '\t'.repeat(15_000)],
  ['values', ' x'.repeat(7_500)],
])('a value behind many %s that holds half a line end is none, and the next one is read', (_what, filling) => {
  expect(readDeclaredFacts(`---\na:${filling}x\rx\nname: pdf\n---\n# hi\n`)).toMatchObject({ name: 'pdf' });
  expect(readDeclaredFacts(`---\nname:${filling}x\rx\n---\n# hi\n`)).toMatchObject({ name: undefined });
});

test('a value behind many blanks is read', () => {
  expect(readDeclaredFacts(`---\nname:${' '.repeat(15_000)}pdf${' '.repeat(3_000)}\n---\n`)).toMatchObject({
    name: 'pdf',
  });
});

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

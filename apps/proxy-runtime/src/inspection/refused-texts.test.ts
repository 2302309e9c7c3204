import { expect, test } from '@jest/globals';
import { RefusedTexts } from './refused-texts.ts';

const asked = (lastWords: string, conversation = 'first') => ({ conversation, lastWords });

test('remembers a text for one conversation, until the conversation ends otherwise', () => {
  const refused = new RefusedTexts();
  refused.note(asked('one'), ['poison']);
  expect(refused.has(asked('one'), 'poison')).toBe(false);
  expect(refused.has(asked('two'), 'poison')).toBe(true);
  expect(refused.has(asked('two'), 'other')).toBe(false);
  expect(refused.has(asked('two', 'second'), 'poison')).toBe(false);
});

test('forgets what was not asked for longest, and takes a bounded number of each request', () => {
  const refused = new RefusedTexts(3);
  refused.note(asked('one'), ['a', 'b', 'c']);
  expect(refused.has(asked('two'), 'a')).toBe(true);
  refused.note(asked('one'), ['d']);
  expect(['a', 'b', 'c', 'd'].map((text) => refused.has(asked('two'), text))).toEqual([true, false, true, true]);
  const many = Array.from({ length: 100 }, (_, at) => `text ${at}`);
  const large = new RefusedTexts();
  large.note(asked('one'), many);
  expect(many.filter((text) => large.has(asked('two'), text))).toHaveLength(64);
});

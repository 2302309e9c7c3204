import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repetition } from './repetition.ts';

const cellWords = 'nan inf nil null none undefined na true false yes no ok todo tbd -'.split(' ');
const isPlain = (word: string) => /^[\p{L}\p{M}\p{Cs}'’-]+[.!?…。！？]*$/u.test(word) && !cellWords.includes(word);

/** The same, by the words themselves: the first 4,000 of the first 32,000 characters. */
function shareOf(text: string): number {
  const lines = text
    .slice(0, 32_000)
    .toLowerCase()
    .split(/[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.split(/\s+/).filter((word) => word !== ''));
  let left = 4_000;
  let repeated = 0;
  for (const line of lines) {
    const words = line.slice(0, left);
    left -= words.length;
    repeated += repeatedIn(words);
  }
  const count = 4_000 - left;
  return count < 60 ? 0 : repeated / count;
}

function repeatedIn(words: readonly string[]): number {
  let runs = [0, 0, 0, 0];
  let sum = 0;
  let start = 0;
  words.forEach((word, at) => {
    if (!isPlain(word)) start = at + 1;
    runs = runs.map((run, before) => (at - before - 1 >= start && words[at - before - 1] === word ? run + 1 : 0));
    const longest = Math.max(...runs);
    if (longest === 40) sum += 40;
    else if (longest > 40) sum += 1;
  });
  return sum;
}

const part = fc.constantFrom(
  'a ',
  'B',
  ' ',
  "don't ",
  'x-1\n',
  '\u00a0',
  'é',
  'İ ',
  '\u0000',
  'null ',
  'stop. ',
  'a.b ',
  '. ',
  '... '.repeat(45),
  'go '.repeat(50),
  'the old word '.repeat(20),
);
const text = fc
  .tuple(fc.array(part, { minLength: 20, maxLength: 200 }), fc.nat(20))
  .map(([parts, times]) => parts.join('') + parts.slice(0, 3).join('').repeat(times));

test('is the share of words that repeat a phrase of up to four words within a line', () => {
  fc.assert(fc.property(text, (chosen) => expect(repetition.score(chosen)).toBe(shareOf(chosen))));
});

test('is as high where it comes to the least that matters, and lower than that elsewhere', () => {
  fc.assert(
    fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (chosen, least) => {
      const [exact, score] = [shareOf(chosen), repetition.score(chosen, least)];
      expect(score < least ? 0 : score).toBe(exact < least ? 0 : exact);
    }),
  );
});

describe('data', () => {
  const rows = (count: number, row: string) => `${row}\n`.repeat(count);
  const pasted: Record<string, string> = {
    'a stack overflow': rows(300, '\tat com.acme.Parser.walk(Parser.java:42)'),
    'frames of a recursion': rows(75, '    at recurse (/srv/app/src/tree.js:12:5)'),
    'equal log lines': rows(40, 'WARN connection reset by peer, retrying'),
    'log lines of words alone': rows(60, 'connection lost again'),
    'warnings of npm': rows(20, 'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.'),
    'calls of the system': rows(40, 'read(3, "", 4096) = 0'),
    'a matrix': rows(20, '[0, 0, 0, 0, 0, 0, 0, 0],'),
    'an array in one line': `[${'0, '.repeat(300)}0]`,
    'a table with empty cells': rows(40, '| Ann |  |  |'),
    'a list of open points': rows(40, '- [ ] TBD'),
    'a refrain': rows(20, 'Row, row, row your boat, gently down the stream.'),
    'columns without a value': rows(4, 'NaN '.repeat(80)),
    'a table of contents': rows(30, `Introduction ${'. '.repeat(60)}7`),
    'columns that are left out': rows(30, '... '.repeat(60)),
    'a dump of memory': rows(30, 'ff '.repeat(32)),
    'values of two kinds': 'true false '.repeat(100),
  };

  test.each(Object.entries(pasted))('of %s is no flood', (_, data) => {
    expect(repetition.score(data)).toBe(0);
  });

  const inOneLine = [
    'a stack overflow',
    'frames of a recursion',
    'equal log lines',
    'warnings of npm',
    'calls of the system',
    'a list of open points',
    'a refrain',
  ];
  test.each(inOneLine)('of %s is none in one line, either', (name) => {
    expect(repetition.score((pasted[name] as string).replaceAll('\n', ' '))).toBe(0);
  });
});

test.each(['vanilla sky ', 'k ', 'access granted! ', 'you must obey now ', '答え ', '🦊 '])(
  '"%s" over and over is a flood',
  (phrase) => {
    expect(repetition.score(`What does this mean? ${phrase.repeat(200)}`)).toBeGreaterThan(0.9);
  },
);

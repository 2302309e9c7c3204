import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedRegex, flags, openRegex, patternText } from '../../../test/random-pattern.ts';
import { backtrackingSteps } from './backtracking.ts';
import { contains } from './char-set.ts';
import { parseRegex, toSyntax } from './parse-syntax.ts';
import type { Syntax } from './syntax.ts';

/** A plain backtracking matcher that counts the characters and edges it looks at. */
function countSteps(node: Syntax, text: string, start: number): number {
  let steps = 0;
  const isWord = (at: number): boolean => /\w/.test(text.charAt(at));

  const match = (part: Syntax, at: number, next: (at: number) => boolean): boolean => {
    switch (part.kind) {
      case 'char':
        steps += 1;
        return at < text.length && contains(part.set, text.charCodeAt(at)) && next(at + 1);
      case 'sequence':
        return matchItems(part.items, at, next);
      case 'choice':
        return part.branches.some((branch) => match(branch, at, next));
      case 'repeat':
        return matchRepeat(part, 0, at, next);
      case 'edge':
        steps += 1;
        return holds(part.edge, at) && next(at);
      case 'look': {
        steps += 1;
        if (part.behind) return next(at);
        const found = match(part.body, at, () => true);
        return found !== part.negated && next(at);
      }
    }
  };
  const matchItems = (items: readonly Syntax[], at: number, next: (at: number) => boolean): boolean => {
    const [first, ...others] = items;
    return first === undefined ? next(at) : match(first, at, (behind) => matchItems(others, behind, next));
  };
  const matchRepeat = (
    part: Extract<Syntax, { kind: 'repeat' }>,
    count: number,
    at: number,
    next: (at: number) => boolean,
  ): boolean => {
    const again = () =>
      count < part.max &&
      match(part.body, at, (behind) => (behind > at || count < part.min) && matchRepeat(part, count + 1, behind, next));
    if (count < part.min) return again();
    return part.greedy ? again() || next(at) : next(at) || again();
  };
  const holds = (edge: Extract<Syntax, { kind: 'edge' }>['edge'], at: number): boolean => {
    const isLine = edge.startsWith('line');
    if (edge === 'word') return isWord(at - 1) !== isWord(at);
    if (edge === 'not-word') return isWord(at - 1) === isWord(at);
    if (edge.endsWith('start')) return at === 0 || (isLine && text[at - 1] === '\n');
    return at === text.length || (isLine && text[at] === '\n');
  };

  match(node, start, () => true);
  return steps;
}

describe('backtrackingSteps', () => {
  test('is an upper bound of what a backtracking matcher does', () => {
    fc.assert(
      fc.property(fc.oneof(boundedRegex, openRegex), flags, patternText(20), (regex, flags, text) => {
        const syntax = toSyntax(parseRegex(regex, flags), flags);
        const bound = backtrackingSteps(syntax, text.length);
        for (let at = 0; at < text.length; at += 1) expect(countSteps(syntax, text, at)).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [
      'a gap before a word',
      '\\bignore\\b[^.]{0,40}\\b(?:previous|prior|all)\\b[^.]{0,40}\\b(?:rules|instructions?)\\b',
      15_000,
    ],
    ['repetitions that exclude each other', '\\w{1,60}\\s{1,20}\\w{1,60}=\\d{1,60}', 700],
    ['words that begin alike', '(?:pass|password|passwd|passphrase|passport)[:=]', 60],
    ['a repetition that a lookahead ends', '[a-z]{1,200}(?![a-z])', 1_200],
    ['a repetition that a boundary ends', '\\w{1,200}\\b', 700],
  ])('is modest for %s', (_kind, regex, most) => {
    expect(backtrackingSteps(toSyntax(parseRegex(regex, ''), ''), 4_096)).toBeLessThan(most);
  });

  test.each(['(a+)+b', '(a|a)*b', '(a|aa)+b', '(?:\\w+\\s?)+:', '(x+x+)+y', '.*a.*b.*c.*d', '(?:a?){30}a{30}'])(
    'is astronomic for %s',
    (regex) => {
      expect(backtrackingSteps(toSyntax(parseRegex(regex, ''), ''), 4_096)).toBeGreaterThan(1e9);
    },
  );
});

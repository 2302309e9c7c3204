import { describe, expect, test } from '@jest/globals';
import type { PlanScope } from './plan-scope.ts';
import type { Finding } from './policy.ts';
import { VerdictMemo } from './verdict-memo.ts';

const scope = {} as PlanScope;
const finding = { ruleId: 'r' } as Finding;

/** Asks a memo and tells which texts it had to have scanned. */
function watched() {
  const memo = new VerdictMemo();
  const scanned: string[] = [];
  const ask = (text: string, found: readonly Finding[] = [], at = scope) =>
    memo.recall(at, text, () => {
      scanned.push(text);
      return found;
    });
  return { ask, scanned };
}

describe('VerdictMemo', () => {
  test.each([
    ['a word', 'assistant'],
    ['a long text', 'one sentence. '.repeat(60)],
  ])('reads %s once', (_what, text) => {
    const { ask, scanned } = watched();
    expect([ask(text), ask(text), ask(text)]).toEqual([[], [], []]);
    expect(scanned).toHaveLength(1);
  });

  test('remembers what was found in a long text, and reads a word again in which something was found', () => {
    const { ask, scanned } = watched();
    const text = 'one sentence. '.repeat(60);
    expect([ask(text, [finding]), ask(text)]).toEqual([[finding], [finding]]);
    expect([ask('secret', [finding]), ask('secret', [finding])]).toEqual([[finding], [finding]]);
    expect(scanned).toEqual([text, 'secret', 'secret']);
  });

  test('tells scopes apart', () => {
    const { ask, scanned } = watched();
    ask('assistant');
    ask('assistant', [], { ...scope });
    expect(scanned).toHaveLength(2);
  });

  test('takes no text for another that UTF-8 writes alike', () => {
    const { ask, scanned } = watched();
    const text = 'one sentence. '.repeat(60);
    const halves = ['\uD800', '\uDC00', '\uFFFD'].map((half) => text + half);
    for (const each of halves) ask(each, [finding]);
    expect(scanned).toEqual(halves);
  });

  test('forgets words for which it has no room, the newest last', () => {
    const { ask, scanned } = watched();
    const words = Array.from({ length: 3_000 }, (_, index) => `word ${index}`);
    for (const word of words) {
      ask(word);
      ask('assistant');
    }
    scanned.length = 0;
    ask('assistant');
    ask('word 2999');
    ask('word 0');
    expect(scanned).toEqual(['word 0']);
  });
});

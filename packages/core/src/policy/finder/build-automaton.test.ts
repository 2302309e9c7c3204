import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { policyOf } from '../../../test/random-pattern.ts';
import { rootState, rowBits, type Automaton } from './aho-corasick.ts';
import { buildAutomaton } from './build-automaton.ts';
import { compilePlan } from '../compile/compile-policies.ts';

/** Builds the automaton at once. */
function build(texts: readonly string[]): Automaton {
  const steps = buildAutomaton(texts);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Every text with the places where it ends, found by the automaton. */
function search(automaton: Automaton, text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let state = rootState;
  for (let at = 0; at < text.length; at += 1) {
    state = automaton.next[(state << rowBits) + (automaton.columns[text.charCodeAt(at)] ?? 0)] ?? rootState;
    if (state < automaton.firstOutput) continue;
    const row = state - automaton.firstOutput;
    const outputs = automaton.outputs.subarray(automaton.outputOffsets[row], automaton.outputOffsets[row + 1]);
    for (const index of outputs) found.add(`${index} ends at ${at + 1}`);
  }
  return found;
}

const searchOneByOne = (texts: readonly string[], text: string): ReadonlySet<string> =>
  new Set(
    texts.flatMap((needle, index) =>
      Array.from({ length: text.length }, (_, at) => at + 1)
        .filter((end) => text.slice(0, end).toLowerCase().endsWith(needle.toLowerCase()))
        .map((end) => `${index} ends at ${end}`),
    ),
  );

describe('buildAutomaton', () => {
  test('finds texts inside and behind each other', () => {
    const texts = ['hers', 'his', 'she', 'shell', 'he ', 'ers'];
    expect(search(build(texts), 'ushers hishell he s')).toEqual(searchOneByOne(texts, 'ushers hishell he s'));
  });

  test('finds what a search for one text after the other finds, in any case', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'ä', 'Ä'), minLength: 3, maxLength: 5 });
    const haystack = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'ä', 'x'), maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(letters, { minLength: 1, maxLength: 8 }), haystack, (texts, text) => {
        expect(search(build(texts), text)).toEqual(searchOneByOne(texts, text));
      }),
    );
  });

  test('folds the look-alikes of ASCII letters that an engine may call equal', () => {
    expect(search(build(['ask']), 'a\u017F\u212A')).toEqual(new Set(['0 ends at 3']));
  });

  test('cuts texts when there are too many for the table', () => {
    const spell = (index: number) =>
      index.toString(16).replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
    const texts = Array.from({ length: 12_000 }, (_, index) => `needle-${spell(index)}-${'x'.repeat(25)}`);
    const automaton = build(texts);
    expect(automaton.next.length).toBeLessThanOrEqual(4_000_000);
    const cut = automaton.paths[777]?.length ?? 0;
    expect(cut).toBeLessThan(32);
    expect(search(automaton, `.${texts[777]}.`)).toContain(`777 ends at ${1 + cut}`);
  });
});

test('policies that look for the same texts share their automaton', () => {
  const policies = (action: 'block' | 'monitor') => [policyOf([{ literal: 'secret word' }], action)];
  const automaton = compilePlan(policies('block')).automaton;
  expect(compilePlan(policies('monitor')).automaton).toBe(automaton);
  expect(compilePlan([policyOf([{ literal: 'other word' }], 'block')]).automaton).not.toBe(automaton);
});

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Observation } from './observation.ts';
import { countRandomTokens, entropyOf } from './random-tokens.ts';
import { createTrafficAnalyser } from './traffic-analyser.ts';

const startMs = 1_800_000_000_000;

/** Plays calls, one a second unless told otherwise, and tells the rules that spoke. */
function play(calls: readonly Partial<Observation>[]): string[] {
  const analyser = createTrafficAnalyser();
  return calls.flatMap((call, index) =>
    analyser.observe(observation({ atMs: startMs + index * 1_000, ...call })).map(({ ruleId }) => ruleId),
  );
}

const observation = (fields: Partial<Observation>): Observation => ({
  principal: 'key:1',
  atMs: startMs,
  method: 'tools/call',
  name: 'search',
  outcome: 'served',
  presented: undefined,
  randomTokens: 0,
  ...fields,
});

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('traffic analysis', () => {
  test('says nothing about a client that starts, lists and works', () => {
    const start = [
      { method: 'initialize', name: undefined },
      { method: 'tools/list', name: undefined },
      { method: 'resources/list', name: undefined },
    ];
    const work = times(300, (index) => ({ name: `tool-${index % 5}` }));
    expect(play([...start, ...work])).toEqual([]);
  });

  test('says nothing about an agent that is blocked once, or is fast from the start', () => {
    expect(play([{}, { outcome: 'blocked' }, {}, {}])).toEqual([]);
    expect(play(times(3_000, (index) => ({ atMs: startMs + index * 5 })))).toEqual([]);
  });

  test('tells of names that are tried one after the other, once, with growing confidence', () => {
    const tries = times(40, (index) => ({ name: `guess-${index}`, outcome: 'denied' as const }));
    expect(play(tries)).toEqual(['BEHAVIORAL_ENUMERATION']);
    expect(play(times(40, () => ({ name: 'gone', outcome: 'failed' as const })))).toEqual([]);
    expect(play(tries.map((call, index) => ({ ...call, atMs: startMs + index * 60_000 })))).toEqual([]);
  });

  test('tells of keys that are guessed, and not of one wrong key that is sent again and again', () => {
    const guess = (presented: number) => ({
      principal: 'address:1.2.3.4',
      outcome: 'unidentified' as const,
      name: undefined,
      presented,
    });
    expect(play(times(30, guess))).toEqual(['BEHAVIORAL_KEY_GUESSING']);
    expect(play(times(30, () => guess(1)))).toEqual([]);
  });

  test('measures a burst against the habit of its own principal', () => {
    const habit = times(40, (index) => ({ atMs: startMs + index * 5_000 }));
    const rush = times(100, (index) => ({ atMs: startMs + 200_000 + index * 20 }));
    expect(play([...habit, ...rush])).toEqual(['BEHAVIORAL_BURST']);
    const always = times(4_000, (index) => ({ atMs: startMs + index * 100 }));
    expect(play(always)).toEqual([]);
  });

  test('tells of a tool outside a narrow habit, and not where habits are wide', () => {
    const narrow = times(150, (index) => ({ name: `tool-${index % 2}` }));
    expect(play([...narrow, { name: 'delete_all' }])).toEqual(['BEHAVIORAL_UNUSUAL_TOOL']);
    const wide = times(150, (index) => ({ name: `tool-${index % 20}` }));
    expect(play([...wide, { name: 'delete_all' }])).toEqual([]);
  });

  test('tells of a call that passes after a row of blocked ones', () => {
    const blocked = times(4, () => ({ outcome: 'blocked' as const, method: '/v1/chat/completions', name: 'm' }));
    const passed = { method: '/v1/chat/completions', name: 'm' };
    expect(play([...blocked, passed, passed])).toEqual(['SEQUENCE_POLICY_PROBING']);
    expect(play([blocked[0] ?? {}, passed, blocked[0] ?? {}, passed, blocked[0] ?? {}, passed])).toEqual([]);
  });

  test('tells of a listing that is followed by refusals and a hit', () => {
    const refused = ['a', 'b', 'c'].map((name) => ({ name, outcome: 'denied' as const }));
    expect(play([{ method: 'tools/list', name: undefined }, ...refused, { name: 'search' }])).toEqual([
      'SEQUENCE_RECONNAISSANCE',
    ]);
  });

  test('tells of wider rights used right after refusals', () => {
    const refused = times(2, () => ({ name: 'read', outcome: 'denied' as const }));
    expect(play([...refused, { name: 'grant_role' }])).toEqual(['SEQUENCE_PRIVILEGE_ESCALATION']);
    expect(play([...refused, { name: 'read_mail' }])).toEqual([]);
  });

  test('tells of random tokens where they are not the trade', () => {
    const calls = times(40, (index) => ({ randomTokens: index % 4 === 3 ? 1 : 0 }));
    expect(play(calls)).toEqual(['CONTENT_RANDOM_TOKENS']);
    expect(play(times(40, () => ({ randomTokens: 2 })))).toEqual([]);
  });

  test('speaks again after a while, and starts anew with who was away for long', () => {
    const tries = (fromMs: number) =>
      times(10, (index) => ({ atMs: fromMs + index, name: `guess-${index}`, outcome: 'denied' as const }));
    expect(play([...tries(startMs), ...tries(startMs + 300_000)])).toHaveLength(1);
    expect(play([...tries(startMs), ...tries(startMs + 700_000)])).toHaveLength(2);
    const half = tries(startMs).slice(0, 5);
    expect(play([...half, ...tries(startMs + 4_000_000).slice(5)])).toEqual([]);
  });

  test('remembers a bounded number of principals, the busiest longest', () => {
    const analyser = createTrafficAnalyser(3);
    for (const id of [1, 2, 3, 1, 4, 5]) analyser.observe(observation({ principal: `key:${id}` }));
    expect(analyser.principals).toBe(3);
  });

  test('never fails, and its confidence is a share, for any observation', () => {
    const anything = fc.record({
      principal: fc.constantFrom('key:1', 'key:2', 'address:::1'),
      atMs: fc.integer({ min: startMs, max: startMs + 900_000 }),
      method: fc.constantFrom('tools/call', 'tools/list', '/v1/messages'),
      name: fc.option(fc.constantFrom('a', 'b', 'sudo', 'é'), { nil: undefined }),
      outcome: fc.constantFrom('served', 'blocked', 'denied', 'unidentified', 'failed'),
      presented: fc.option(fc.nat(20), { nil: undefined }),
      randomTokens: fc.nat(3),
    }) as fc.Arbitrary<Observation>;
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 300 }), (observations) => {
        const analyser = createTrafficAnalyser();
        const suspicions = observations.flatMap((each) => analyser.observe(each));
        return suspicions.every(({ confidence }) => confidence >= 0 && confidence <= 1);
      }),
    );
  });
});

describe('random tokens', () => {
  test('are told by the spread of their characters, by their alphabet', () => {
    expect(entropyOf('aaaa')).toBe(0);
    expect(entropyOf('abcd')).toBe(2);
    expect(countRandomTokens('token q7Zx2LpV9sKd83mNwTrYbHc5FgJe4UaXiQoP here')).toBe(1);
    expect(countRandomTokens('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')).toBe(1);
    expect(countRandomTokens('a'.repeat(64))).toBe(0);
    expect(countRandomTokens('/usr/local/share/applications/of/some/length/and/more/of/it')).toBe(0);
    expect(countRandomTokens(`data:image/png;base64,${'q7Zx2LpV9sKd83mNwTrYbHc5FgJe4UaX'.repeat(3)}`)).toBe(0);
  });
});

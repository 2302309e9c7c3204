import { expect, test } from '@jest/globals';
import type { ListenerState } from '../listeners/listener-set.ts';
import { mergeStates } from './merge-states.ts';

const state = (proxyId: number, changes: Partial<ListenerState> = {}): ListenerState => ({
  proxyId,
  state: 'running',
  error: null,
  port: 4_000 + proxyId,
  startedAt: new Date(1_000),
  ...changes,
});

const none: ReadonlySet<number> = new Set();

test('a proxy runs when it runs on all workers, since the first of them began', () => {
  const merged = mergeStates([
    { revision: 7, behind: none, states: [state(1, { startedAt: new Date(2_000) }), state(2)] },
    { revision: 9, behind: none, states: [state(1), state(2, { state: 'stopped', startedAt: null })] },
  ]);
  expect(merged).toEqual({
    revision: 7,
    behind: none,
    states: [state(1), state(2, { state: 'stopped', startedAt: null })],
  });
});

test('a worker that cannot open a port speaks for all', () => {
  const failed = state(1, { state: 'error', error: 'bind EADDRINUSE', startedAt: null });
  expect(
    mergeStates([
      { revision: 1, behind: none, states: [state(1)] },
      { revision: 1, behind: none, states: [failed] },
    ])?.states,
  ).toEqual([failed]);
});

test('a proxy that a worker does not know yet does not run', () => {
  const merged = mergeStates([
    { revision: 2, behind: none, states: [state(1)] },
    { revision: 1, behind: none, states: [] },
  ]);
  expect(merged).toEqual({ revision: 1, behind: none, states: [state(1, { state: 'stopped', startedAt: null })] });
});

test('without workers there is nothing to say', () => {
  expect(mergeStates([])).toBeUndefined();
});

test('a proxy that is behind on one worker is behind, even if the others are not', () => {
  const merged = mergeStates([
    { revision: 4, behind: new Set([2]), states: [state(1)] },
    { revision: 4, behind: none, states: [state(1), state(2)] },
  ]);
  expect(merged).toEqual({ revision: 4, behind: new Set([2]), states: [state(1)] });
});

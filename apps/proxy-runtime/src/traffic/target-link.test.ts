import { expect, test } from '@jest/globals';
import { Agent, buildConnector } from 'undici';
import { TargetLink } from './target-link.ts';

function start() {
  const told: string[] = [];
  const clock = { nowMs: 0 };
  const link = new TargetLink({
    origin: 'http://llm.example',
    connect: buildConnector({}),
    dispatcher: new Agent(),
    breaker: { maxFailures: 2, restMs: 1_000 },
    maxCalls: 2,
    onChange: ({ state }) => told.push(state.state),
    nowMs: () => clock.nowMs,
  });
  return { link, told, clock };
}

test('calls under way are bounded', () => {
  const { link } = start();
  expect([link.begin(), link.begin(), link.begin()]).toEqual([undefined, undefined, 'target_busy']);
  link.end();
  expect([link.begin(), link.begin()]).toEqual([undefined, 'target_busy']);
});

test('it tells once when the target is left alone and once when it answers again, and why it failed', () => {
  const { link, told, clock } = start();
  link.failed('first');
  expect(link.state).toEqual({ state: 'closed', problem: 'first' });
  link.failed('second');
  link.failed('third');
  expect([link.state, link.begin(), link.restsForMs]).toEqual([
    { state: 'open', problem: 'third' },
    'target_suspended',
    1_000,
  ]);
  clock.nowMs = 1_000;
  expect([link.begin(), link.begin()]).toEqual([undefined, 'target_suspended']);
  link.answered();
  expect([link.state, link.begin()]).toEqual([{ state: 'closed', problem: null }, undefined]);
  expect(told).toEqual(['open', 'closed']);
});

import { expect, test } from '@jest/globals';
import { Agent, buildConnector } from 'undici';
import { CircuitBreaker } from '@portcullis/core/resilience/circuit-breaker';
import { TargetPool, type TargetNews } from './target-pool.ts';

function start() {
  const told: string[] = [];
  const news: Omit<TargetNews, 'key'>[] = [];
  const clock = { nowMs: 0 };
  const link = new TargetPool({
    origin: 'http://llm.example',
    connect: buildConnector({}),
    dispatcher: new Agent(),
    breaker: new CircuitBreaker({ maxFailures: 2, restMs: 1_000 }, () => clock.nowMs),
    maxCalls: 2,
    onChange: ({ state }) => told.push(state.state),
    onNews: (each) => news.push(each),
  });
  return { link, told, news, clock };
}

test('calls under way are bounded', () => {
  const { link } = start();
  expect([link.begin(), link.begin(), link.begin()]).toEqual([undefined, undefined, 'target_busy']);
  link.end();
  expect([link.begin(), link.begin()]).toEqual([undefined, 'target_busy']);
});

test('it tells once when the circuit opens and once when it answers again, and why it failed', () => {
  const { link, told, clock } = start();
  link.failed('first');
  expect(link.state).toEqual({ state: 'closed', problem: 'first' });
  link.failed('second');
  link.failed('third');
  expect([link.state, link.begin(), link.restsForMs]).toEqual([
    { state: 'open', problem: 'third' },
    'circuit_open',
    1_000,
  ]);
  clock.nowMs = 1_000;
  expect([link.begin(), link.begin()]).toEqual([undefined, 'circuit_open']);
  link.answered();
  expect([link.state, link.begin()]).toEqual([{ state: 'closed', problem: null }, undefined]);
  expect(told).toEqual(['open', 'closed']);
});

test('two that tell each other are one to the target: they count its failures together, and one of them tries it', () => {
  const [one, other] = [start(), start()];
  const exchange = () => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      for (const each of from.news.splice(0)) to.link.hear(each);
  };
  one.link.failed('first');
  exchange();
  other.link.failed('second');
  exchange();
  expect([one.link.begin(), other.link.begin()]).toEqual(['circuit_open', 'circuit_open']);
  expect(one.link.state).toEqual({ state: 'open', problem: 'second' });

  for (const { clock } of [one, other]) clock.nowMs = 1_000;
  expect(one.link.begin()).toBeUndefined();
  exchange();
  expect(other.link.begin()).toBe('circuit_open');
  one.link.answered();
  exchange();
  expect(other.link.state).toEqual({ state: 'closed', problem: null });
  expect(other.link.begin()).toBeUndefined();
  expect(other.news).toEqual([]);
});

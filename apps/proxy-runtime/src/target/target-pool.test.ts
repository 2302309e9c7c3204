import { expect, test } from '@jest/globals';
import { Agent, buildConnector } from 'undici';
import { CircuitBreaker } from '@portcullis/core/resilience/circuit-breaker';
import { TargetPool, type TargetNews } from './target-pool.ts';

function start() {
  const told: string[] = [];
  const news: Omit<TargetNews, 'key'>[] = [];
  const clock = { nowMs: 0 };
  const pool = new TargetPool({
    origin: 'http://llm.example',
    connect: buildConnector({}),
    dispatcher: new Agent(),
    breaker: new CircuitBreaker({ maxFailures: 2, restMs: 1_000 }, () => clock.nowMs),
    maxCalls: 2,
    onChange: ({ state }) => told.push(state.state),
    onNews: (each) => news.push(each),
  });
  return { pool, told, news, clock };
}

test('calls under way are bounded', () => {
  const { pool } = start();
  expect([pool.begin(), pool.begin(), pool.begin()]).toEqual([undefined, undefined, 'target_busy']);
  pool.end();
  expect([pool.begin(), pool.begin()]).toEqual([undefined, 'target_busy']);
});

test('it tells once when the circuit opens and once when it answers again, and why it failed', () => {
  const { pool, told, clock } = start();
  pool.failed('first');
  expect(pool.state).toEqual({ state: 'closed', problem: 'first' });
  pool.failed('second');
  pool.failed('third');
  expect([pool.state, pool.begin(), pool.restsForMs]).toEqual([
    { state: 'open', problem: 'third' },
    'circuit_open',
    1_000,
  ]);
  clock.nowMs = 1_000;
  expect([pool.begin(), pool.begin()]).toEqual([undefined, 'circuit_open']);
  pool.answered();
  expect([pool.state, pool.begin()]).toEqual([{ state: 'closed', problem: null }, undefined]);
  expect(told).toEqual(['open', 'closed']);
});

test('two that tell each other are one to the target: they count its failures together, and one of them tries it', () => {
  const [one, other] = [start(), start()];
  const exchange = () => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      for (const each of from.news.splice(0)) to.pool.hear(each);
  };
  one.pool.failed('first');
  exchange();
  other.pool.failed('second');
  exchange();
  expect([one.pool.begin(), other.pool.begin()]).toEqual(['circuit_open', 'circuit_open']);
  expect(one.pool.state).toEqual({ state: 'open', problem: 'second' });

  for (const { clock } of [one, other]) clock.nowMs = 1_000;
  expect(one.pool.begin()).toBeUndefined();
  exchange();
  expect(other.pool.begin()).toBe('circuit_open');
  one.pool.answered();
  exchange();
  expect(other.pool.state).toEqual({ state: 'closed', problem: null });
  expect(other.pool.begin()).toBeUndefined();
  expect(other.news).toEqual([]);
});

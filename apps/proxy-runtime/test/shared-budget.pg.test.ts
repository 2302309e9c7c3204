import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Secret } from '@portcullis/platform/config/secret';
import { openRedisCoordination } from '@portcullis/platform/coordination/redis/redis-coordination';
import { silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { SharedBudgetPlan } from './shared-budget.fixture.ts';
import { goodKey, listen, type Peer } from './start-proxy.ts';

const redisUrl = process.env['TEST_REDIS_URL'] ?? '';
if (redisUrl === '') throw new Error('TEST_REDIS_URL must name a Redis server');

const processes = 4;
const requests = 200;
/** A dollar, in micro-USD. */
const budget = { budgetMicroUsd: 1_000_000, warningThreshold: 0.8, blockAtThreshold: false };
const microUsdPerToken = 10;
const month = new Date().toISOString().slice(0, 7);

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Starts a runtime of its own process; answers where it listens. */
async function startProcess(plan: SharedBudgetPlan): Promise<string> {
  const fixture = new URL('./shared-budget.fixture.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [fixture, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  stops.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [origin] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return origin;
}

interface Model extends Peer {
  answered: number;
}

/** Answers only when nobody else comes: as many requests as get through are under way at once. */
async function startModel(tokens: number): Promise<Model> {
  const waiting: (() => void)[] = [];
  const usage = { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens };
  const peer = await listen((request, response) => {
    request.resume().once('end', () => {
      waiting.push(() => {
        model.answered += 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ model: 'm', usage }));
      });
    });
  });
  let before = 0;
  const timer = setInterval(() => {
    if (waiting.length === before) for (const answer of waiting.splice(0)) answer();
    before = waiting.length;
  }, 100);
  stops.push(async () => {
    clearInterval(timer);
    await peer[Symbol.asyncDispose]();
  });
  const model: Model = { ...peer, answered: 0 };
  return model;
}

/** Asks all processes at once; answers how many requests were let through. */
async function askAtOnce(origins: readonly string[], maxTokens: number): Promise<readonly number[]> {
  const body = JSON.stringify({ model: 'm', max_tokens: maxTokens, messages: [{ role: 'user', content: 'hi' }] });
  const headers = { 'x-api-key': goodKey };
  return Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const origin = origins[index % origins.length] ?? '';
      const response = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
      await response.text();
      return response.status;
    }),
  );
}

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

describe(`a budget that ${processes} processes share`, () => {
  const start = async (tokens: number) => {
    const model = await startModel(tokens);
    const keyPrefix = `test-${randomUUID()}:`;
    const plan = { redisUrl, keyPrefix, target: model.origin, budget, prices: { m: [0, microUsdPerToken] } } as const;
    const origins = await Promise.all(Array.from({ length: processes }, () => startProcess(plan)));
    const coordination = await openRedisCoordination({
      url: new Secret(redisUrl),
      keyPrefix,
      log: silentLog,
      accountTimeoutMs: 60_000,
    });
    stops.push(async () => {
      await coordination[Symbol.asyncDispose]();
    });
    const claim = { key: `user_group:1:${month}:0`, limit: 0, atLeastSpent: 0 };
    const balance = async () => (await coordination.accounts.reserve([claim], 0)).balances[0];
    return { model, origins, balance };
  };

  test('is not overshot where what is held is what answers cost', async () => {
    const { model, origins, balance } = await start(10_000);
    const statuses = await askAtOnce(origins, 10_000);
    expect([countOf(statuses, 200), countOf(statuses, 402)]).toEqual([10, 190]);
    expect(model.answered).toBe(10);
    await waitFor(async () => (await balance())?.held === 0, { what: 'every hold to be settled' });
    expect(await balance()).toEqual({ spent: budget.budgetMicroUsd, held: 0 });
  });

  test('is overshot by no more than what was under way where answers cost more than they were taken for', async () => {
    const { model, origins, balance } = await start(10_000);
    // Each answer is ten times as long as it was allowed to be.
    const held = 1_000 * microUsdPerToken;
    const cost = 10 * held;
    const statuses = await askAtOnce(origins, 1_000);
    const passed = countOf(statuses, 200);
    // As many as the budget can hold may be under way at once, and each of them may cost more by what was not held.
    const underWay = budget.budgetMicroUsd / held;
    expect(passed).toBeLessThanOrEqual(underWay);
    expect(countOf(statuses, 402)).toBe(requests - passed);
    await waitFor(async () => (await balance())?.held === 0, { what: 'every hold to be settled' });
    const spent = (await balance())?.spent ?? 0;
    expect(spent).toBe(passed * cost);
    expect(model.answered).toBe(passed);
    expect(spent).toBeGreaterThanOrEqual(budget.budgetMicroUsd);
    expect(spent - budget.budgetMicroUsd).toBeLessThanOrEqual(underWay * (cost - held));
    expect((await askAtOnce(origins, 1_000)).every((status) => status === 402)).toBe(true);
  });
});

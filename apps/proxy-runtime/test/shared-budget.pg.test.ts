import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Secret } from '@portcullis/platform/config/secret';
import { openRedisCoordination } from '@portcullis/platform/coordination/redis/redis-coordination';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startRedisServer } from '@portcullis/testkit/redis-server';
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

interface RuntimeProcess {
  readonly origin: string;
  /** Makes it look who shares the budget, and what was spent. */
  look(): Promise<void>;
}

/** Starts a runtime of its own process. */
async function startProcess(plan: SharedBudgetPlan): Promise<RuntimeProcess> {
  const fixture = new URL('./shared-budget.fixture.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [fixture, JSON.stringify(plan)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  stops.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout });
  const [origin] = (await once(lines, 'line')) as [string];
  return {
    origin,
    async look() {
      child.stdin.write('look');
      await once(lines, 'line');
    },
  };
}

interface Model extends Peer {
  answered: number;
}

/** Answers only when no other request comes: as many requests as get through are under way at once. */
async function startModel(tokens: number): Promise<Model> {
  const waiting: (() => void)[] = [];
  const usage = { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens };
  const peer = await listen((request, response) => {
    request.resume().once('end', () => {
      waiting.push(() => {
        model.answered += 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ usage }));
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

async function ask(origin: string, maxTokens: number, model = 'm'): Promise<Response> {
  const body = JSON.stringify({ model, max_tokens: maxTokens, messages: [{ role: 'user', content: 'hi' }] });
  const headers = { 'x-api-key': goodKey };
  const response = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
  await response.text();
  return response;
}

/** Asks all processes at once; answers with what status each request was. */
const askAtOnce = (origins: readonly string[], maxTokens: number, times = requests): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: times }, async (_, index) => {
      const { status } = await ask(origins[index % origins.length] ?? '', maxTokens);
      return status;
    }),
  );

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

describe(`a budget that ${processes} processes share`, () => {
  const start = async (tokens: number) => {
    const model = await startModel(tokens);
    const keyPrefix = `test-${randomUUID()}:`;
    const prices = { m: [0, microUsdPerToken] } as const;
    const plan = { redisUrl, keyPrefix, target: model.origin, budget, prices, answerTimeoutMs: 60_000 };
    const started = await Promise.all(Array.from({ length: processes }, () => startProcess(plan)));
    const origins = started.map(({ origin }) => origin);
    const coordination = await openRedisCoordination({
      url: new Secret(redisUrl),
      keyPrefix,
      log: silentLog,
      answerTimeoutMs: 60_000,
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

test(`${processes} processes whose Redis hangs split what was left, and pay it back`, async () => {
  const redis = await startRedisServer();
  stops.push(async () => {
    await redis[Symbol.asyncDispose]();
  });
  const tokens = 10_000;
  const cost = tokens * microUsdPerToken;
  const model = await startModel(tokens);
  const prices = { m: [0, microUsdPerToken], free: [0, 0] } as const;
  const keyPrefix = `test-${randomUUID()}:`;
  // A second is long enough for a busy machine to be heard, and not for a Redis that is stopped.
  const plan = { redisUrl: redis.url, keyPrefix, target: model.origin, budget, prices, answerTimeoutMs: 1_000 };
  const started = await Promise.all(Array.from({ length: processes }, () => startProcess(plan)));
  const origins = started.map(({ origin }) => origin);
  const used = async (origin: string) => {
    const response = await ask(origin, tokens, 'free');
    return response.headers.get('x-budget-used');
  };
  /** Until every process tells this figure; none tells any that is cut off. */
  const lookAround = (figure: string) =>
    waitFor(
      async () => {
        await Promise.all(started.map(({ look }) => look()));
        const figures = await Promise.all(origins.map(used));
        return figures.every((told) => told === figure);
      },
      { what: `all processes to tell ${figure}` },
    );
  await lookAround('0');
  expect(countOf(await askAtOnce(origins, tokens, 4), 200)).toBe(4);
  await lookAround('0.4');
  const before = model.answered;

  redis.freeze();
  const alone = await askAtOnce(origins, tokens, 40);
  const passed = countOf(alone, 200);
  expect(countOf(alone, 402)).toBe(40 - passed);
  expect(model.answered - before).toBe(passed);
  const spent = 4 * cost + passed * cost;
  expect(spent).toBeGreaterThanOrEqual(budget.budgetMicroUsd);
  // Each process may overshoot its part by less than what one request costs.
  expect(spent).toBeLessThan(budget.budgetMicroUsd + processes * cost);

  redis.thaw();
  const isRefusedWithFigures = async (origin: string) => {
    const response = await ask(origin, tokens, 'free');
    return response.status === 402 && response.headers.has('x-budget-used');
  };
  await waitFor(
    async () => {
      await Promise.all(started.map(({ look }) => look()));
      return (await Promise.all(origins.map(isRefusedWithFigures))).every(Boolean);
    },
    { what: 'all processes to tell what they spent alone' },
  );
  expect(countOf(await askAtOnce(origins, tokens, 8), 402)).toBe(8);
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { chat, type Seen } from './start-on-relays.ts';
import { startReplicas } from './start-replicas.ts';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';

/** Ten tokens of the bucket, of which one comes back every six seconds. */
const limit = 10;
const refillMs = 6_000;
/** Half a dollar a request, as `workers.e2e.test.ts` has it. */
const costUsd = 0.5;
const budgetUsd = 12;
const replicas = 3;
const timeoutMs = 900_000;

/** Asks all replicas, each so often, one after the other. */
async function askAll(proxies: readonly ReadyProxy[], name: string, times: number): Promise<readonly Seen[]> {
  const seen = proxies.map(async (proxy, replica) => {
    const own: Seen[] = [];
    for (let asked = 0; asked < times; asked += 1) own.push(await chat(proxy, `${name}-${replica}-${asked}`));
    return own;
  });
  return (await Promise.all(seen)).flat();
}

const count = (seen: readonly Seen[], status: number): number => seen.filter((one) => one.status === status).length;

test.each([1, 30, 300])(
  'Redis is absent when three replicas start, and there after %i s: limits and budgets hold',
  async (seconds) => {
    await using target = await startLlmPeer({ reply: 'word'.repeat(500) });
    await using world = await startReplicas();
    const { admin } = world.gateway;
    await admin.expect('PUT', '/system/settings', {
      pricing: { models: { 'gpt-4o-mini': { input: 0, output: 1_000 } } },
    });
    const settings = { rate_limit_refill: 'proportional' };
    const limited = await setUpProxy(admin, target.url, { rateLimit: limit, settings });
    const paid = await setUpProxy(admin, target.url);
    await admin.expect('PUT', `/user-groups/${paid.groupId}`, { monthly_budget: budgetUsd });
    await world.relays.redis.cut();
    const origins = await world.startReplicas();
    const absentAtMs = performance.now();
    const onAll = (proxy: ReadyProxy) => origins.map((origin) => ({ ...proxy, url: `${origin}:${proxy.port}` }));
    const stranger = { ...paid, key: 'gw_nobody' };
    await waitFor(async () => (await askAll(onAll(stranger), 'stranger', 1)).every(({ status }) => status === 401), {
      what: 'the ports of all replicas',
    });

    // Each by itself, and none more than that.
    const alone = await askAll(onAll(limited), 'alone', 2 * limit);
    const refilled = () => Math.ceil((performance.now() - absentAtMs) / refillMs);
    expect(count(alone, 200)).toBeGreaterThanOrEqual(limit);
    expect(count(alone, 200)).toBeLessThanOrEqual(replicas * (limit + refilled()));
    const spentAlone = count(await askAll(onAll(paid), 'paid-alone', budgetUsd / costUsd), 200);
    // Nobody knows how many they are: each takes an eighth of what is left, and overshoots it by one request at most.
    expect(spentAlone).toBeGreaterThan(0);
    expect(spentAlone * costUsd).toBeLessThanOrEqual((replicas * budgetUsd) / 8 + replicas * costUsd);

    await pause(Math.max(0, seconds * 1_000 - (performance.now() - absentAtMs)));
    await world.relays.redis.restore();
    await waitFor(
      async () => (await askAll(onAll(limited), 'back', 1)).every(({ limit: told }) => told === String(limit)),
      { what: 'the shared bucket to be empty, and all to know', intervalMs: 250 },
    );
    const emptyAtMs = performance.now();
    const together = await askAll(onAll(limited), 'together', limit);
    expect(count(together, 200)).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - emptyAtMs) / refillMs));

    let paidTogether = 0;
    await waitFor(
      async () => {
        const seen = await askAll(onAll(paid), 'paid', 1);
        paidTogether += count(seen, 200);
        return count(seen, 402) === replicas;
      },
      { what: 'the budget to be spent', intervalMs: 250 },
    );
    const spentUsd = (spentAlone + paidTogether) * costUsd;
    expect(spentUsd).toBeGreaterThanOrEqual(budgetUsd);
    expect(spentUsd).toBeLessThanOrEqual(budgetUsd + replicas * costUsd);
  },
  timeoutMs,
);

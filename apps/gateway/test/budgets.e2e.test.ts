import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@portcullis/platform/test/test-database';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { startTestGateway, type GatewayMode, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { clearRedis, waysFor, type Way } from './start-gateway.ts';

/** Stores that outlive the gateways on them. */
async function openStores(way: Way, opened: AsyncDisposableStack): Promise<{ folder: string; mode: GatewayMode }> {
  const store = opened.use(await createTestDatabase(way === 'one process' ? 'embedded' : 'server'));
  if (way === 'one process') return { folder: store.dataDirectory, mode: { kind: way } };
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-budgets-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const { url } = store;
  if (url === undefined) throw new Error('The database has no address');
  return { folder, mode: { kind: way, databaseUrl: url.reveal(), redisUrl: await clearRedis() } };
}

const ask = (proxy: ReadyProxy, stream = false) =>
  fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': proxy.key },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      max_tokens: 1,
      stream,
      messages: [{ role: 'user', content: 'one token, please' }],
    }),
  });

interface Status {
  readonly current_month_spending: number;
  readonly is_exceeded: boolean;
}

describe.each(waysFor('services'))('a monthly budget, %s', (way) => {
  test('is spent, refuses, survives a kill, and begins anew with a reset', async () => {
    await using opened = new AsyncDisposableStack();
    // One token, which costs ten cents.
    await using target = await startLlmPeer({ reply: 'word' });
    const { folder, mode } = await openStores(way, opened);
    const status = (gateway: TestGateway) =>
      gateway.admin.expect<Status>('GET', `/user-groups/${proxy.groupId}/budget-status`);
    let proxy: ReadyProxy;
    {
      await using gateway = await startTestGateway(mode, {}, folder);
      await gateway.admin.expect('PUT', '/system/settings', {
        pricing: { models: { 'gpt-4o-*': { input: 0, output: 100_000 } } },
      });
      proxy = await setUpProxy(gateway.admin, target.url);
      // What was spent before there was a budget counts with the first request after it was set.
      expect([(await ask(proxy)).status, (await ask(proxy)).status]).toEqual([200, 200]);
      await gateway.admin.expect('PUT', `/user-groups/${proxy.groupId}`, { monthly_budget: 0.1 });
      expect((await ask(proxy)).status).toBe(402);
      await gateway.admin.expect('PUT', `/user-groups/${proxy.groupId}`, { monthly_budget: 0.5 });
      await waitFor(async () => (await ask(proxy)).headers.get('x-budget-limit') === '0.5', { what: 'the budget' });

      // Those before the budget was in force count as well.
      await waitFor(async () => (await ask(proxy, true)).status === 402, { what: 'the budget to be spent' });
      const spent = await waitFor(
        async () => {
          const now = await status(gateway);
          return now.is_exceeded ? now : undefined;
        },
        { what: 'the spending to be in the database' },
      );
      expect(spent.current_month_spending).toBeGreaterThanOrEqual(0.5);
      const tokens = await gateway.admin.expect<{
        totals: { total_cost: number; request_count: number };
        recent_usage: readonly object[];
        models: readonly object[];
      }>('GET', `/proxies/${proxy.id}/tokens`);
      expect(tokens.totals.total_cost).toBeCloseTo(tokens.totals.request_count / 10, 6);
      expect(tokens.recent_usage[0]).toMatchObject({
        model: 'gpt-4o-mini',
        output_tokens: 1,
        cost: 0.1,
        priced: true,
        estimated: false,
      });
      expect(tokens.models).toMatchObject([{ model: 'gpt-4o-mini', request_count: tokens.totals.request_count }]);
      await gateway.stop('SIGKILL');
    }

    await using again = await startTestGateway(mode, {}, folder);
    await again.admin.expect('POST', `/proxies/${proxy.id}/start`);
    const refused = await ask(proxy);
    expect([refused.status, refused.headers.get('x-budget-limit')]).toEqual([402, '0.5']);

    await again.admin.expect('PUT', `/user-groups/${proxy.groupId}/reset-budget`);
    const passed = await waitFor(
      async () => {
        const response = await ask(proxy);
        return response.status === 200 ? response : undefined;
      },
      { what: 'the reset to be in force' },
    );
    expect(passed.headers.get('x-budget-used')).toBe('0.1');
    const counted = /gateway_llm_cost_usd_total\{proxy_id="\d+",model="gpt-4o-mini"\} 0\.1\n/;
    const metrics = () => fetch(`${again.url}/api/v1/metrics/prometheus`).then((response) => response.text());
    await waitFor(async () => counted.test(await metrics()), { what: 'the cost in the metrics' });
  });
});

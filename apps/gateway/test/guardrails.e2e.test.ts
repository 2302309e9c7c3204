import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

interface Checks {
  readonly checks: readonly { readonly verdict: string; readonly action: string; readonly provider_name: string }[];
  readonly total: number;
}

const providers = '/security/guardrails/providers';

describe.each(waysFor('services'))('guardrail providers, %s', (way) => {
  let gateway: TestGateway;
  let target: LlmPeer;
  let judge: GuardrailPeer;
  let proxy: ReadyProxy;
  let provider: { readonly id: number };

  beforeAll(async () => {
    [target, judge] = [await startLlmPeer(), await startGuardrailPeer('bedrock')];
    gateway = await startGateway(way);
    proxy = await setUpProxy(gateway.admin, target.url);
    const body = { name: 'the judge', ...judge.provider, direction: 'both' };
    provider = await gateway.admin.expect('POST', providers, body);
    await gateway.admin.expect('POST', `${providers}/${provider.id}/assignments`, { proxy_id: proxy.id });
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
    await judge?.[Symbol.asyncDispose]();
  });

  const ask = (content: string) =>
    fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': proxy.key },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
    });
  const statusOf = async (content: string) => (await ask(content)).status;

  test('a flagged request is refused, logged and alerted of', async () => {
    await waitFor(async () => (await statusOf('forbidden')) === 403, { what: 'the assignment to be in force' });
    expect(await statusOf('Hello')).toBe(200);
    const { checks } = await waitFor(
      async () => {
        const page = await gateway.admin.expect<Checks>('GET', `${providers}/checks?provider_id=${provider.id}`);
        return page.checks.some(({ verdict }) => verdict === 'safe') ? page : undefined;
      },
      { what: 'the check log', timeoutMs: 60_000 },
    );
    expect(checks.find(({ verdict }) => verdict === 'violation')).toMatchObject({
      provider_name: 'the judge',
      action: 'block',
      direction: 'request',
      categories: ['topic:Weapons', 'content:VIOLENCE'],
      content_preview: null,
    });
    const { alerts } = await gateway.admin.expect<{ alerts: readonly object[] }>(
      'GET',
      '/system/alerts?policy_name=guardrail-the%20judge',
    );
    expect(alerts[0]).toMatchObject({ category: 'Guardrails', action: 'Block', severity: 'High' });
    expect(await gateway.admin.expect('GET', `${providers}/metrics`)).toMatchObject({
      top_categories: [{ category: 'content:VIOLENCE' }, { category: 'topic:Weapons' }],
      providers: [{ provider_id: provider.id, provider_name: 'the judge' }],
    });
    // In services, the other processes report their counts from time to time.
    const counted = 'gateway_guardrail_checks_total{provider="the judge",direction="request",verdict="violation"';
    await waitFor(
      async () => (await (await fetch(`${gateway.url}/api/v1/metrics/prometheus`)).text()).includes(counted),
      { what: 'the check to be counted' },
    );
    expect(judge.problems).toEqual([]);
  });

  test('what happens while the provider is away is up to its owner', async () => {
    await judge.down();
    expect(await statusOf('Away, and open')).toBe(200);
    await gateway.admin.expect('PUT', `${providers}/${provider.id}`, { failure_mode: 'closed' });
    await waitFor(async () => (await statusOf('Away, and closed')) === 403, { what: 'the change to be in force' });
    expect(await gateway.admin.expect('POST', `${providers}/${provider.id}/health`)).toMatchObject({
      status: 'unhealthy',
    });
    await judge.up();
    expect(await gateway.admin.expect('POST', `${providers}/${provider.id}/health`)).toMatchObject({
      status: 'healthy',
    });
  });
});

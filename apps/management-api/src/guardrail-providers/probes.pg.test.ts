import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic } from '@portcullis/contracts/events';
import {
  assignGuardrailProvider,
  createGuardrailProvider,
  showGuardrailHealth,
} from '@portcullis/contracts/routes/guardrail-providers';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { createGuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { startProviderProbes, type ProbeParts } from './probe-providers.ts';

describe.each(stores)('probes of guardrail providers (%s)', (store) => {
  let management: TestManagement;
  let peer: GuardrailPeer;
  beforeAll(async () => {
    management = await startManagement(store, { GUARDRAIL_HEALTH_INTERVAL: '0s' });
    peer = await startGuardrailPeer('http');
  });
  afterAll(async () => {
    await management?.stop();
    await peer?.[Symbol.asyncDispose]();
  });

  let counter = 0;
  const create = async ({ enabled = true, assigned = true }) => {
    counter += 1;
    const provider = await management.admin.data(createGuardrailProvider, {
      body: { name: `judge ${counter}`, ...peer.provider, config: { ...peer.provider.config }, enabled },
    });
    const target = {
      name: `llm ${counter}`,
      type: 'llm',
      target: 'http://127.0.0.1:9',
      port: 29_500 + counter,
    } as const;
    const proxy = await management.admin.data(createProxy, { body: target });
    const body = { proxy_id: proxy.id };
    if (assigned) await management.admin.data(assignGuardrailProvider, { params: provider, body });
    return provider;
  };
  const health = (params: { readonly id: number }) => management.admin.data(showGuardrailHealth, { params });

  const startProbes = (everyMs: number, lookEveryMs: number) => {
    const { database, encryption, coordination } = management.infrastructure;
    const client = createGuardrailClient({ allowPrivate: true });
    const parts: ProbeParts = {
      database,
      encryption,
      client,
      bus: coordination.bus,
      log: silentLog,
      everyMs,
      lookEveryMs,
    };
    const probes = startProviderProbes(parts);
    return {
      async [Symbol.asyncDispose]() {
        await probes[Symbol.asyncDispose]();
        await client[Symbol.asyncDispose]();
      },
    };
  };

  test('ask those that judge some traffic, again and again, and tell when one fails and recovers', async () => {
    const provider = await create({});
    const others = [await create({ enabled: false }), await create({ assigned: false })];
    const heard: { readonly type: string; readonly payload: unknown }[] = [];
    const { bus } = management.infrastructure.coordination;
    const unsubscribe = await bus.subscribe(liveEventsTopic, (event) => heard.push(event as (typeof heard)[number]));
    await using _probes = startProbes(20, 10);
    await waitFor(async () => (await health(provider)).status === 'healthy', { what: 'the first answer' });
    peer.answerNext(3, { status: 503 });
    await waitFor(() => heard.length > 0, { what: 'the failure' });
    await waitFor(() => heard.length > 1, { what: 'the recovery' });
    await unsubscribe();
    expect(heard.slice(0, 2)).toMatchObject([
      {
        type: 'system_event',
        payload: { event: 'guardrail.unhealthy', severity: 'High', details: { provider_id: provider.id } },
      },
      { type: 'system_event', payload: { event: 'guardrail.healthy', severity: 'Low' } },
    ]);
    expect(await health(provider)).toMatchObject({ status: 'healthy', message: null, latency_ms: expect.any(Number) });
    for (const other of others) expect(await health(other)).toMatchObject({ status: 'unknown' });
  });

  test('ask none before it is due, and each from one process', async () => {
    const provider = await create({});
    const before = async () => (await health(provider)).checked_at;
    await using _one = startProbes(3_600_000, 5);
    await waitFor(async () => (await before()) !== null, { what: 'the first answer' });
    const asked = peer.requests.length;
    const at = await before();
    await using _another = startProbes(3_600_000, 5);
    // Another provider that is due is asked meanwhile, so both have looked.
    const next = await create({});
    await waitFor(async () => (await health(next)).status === 'healthy', { what: 'the answer of another' });
    expect(await before()).toBe(at);
    expect(peer.requests.length).toBeLessThanOrEqual(asked + 2);
  });
});

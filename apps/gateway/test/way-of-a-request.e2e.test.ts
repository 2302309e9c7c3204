import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

describe.each(waysFor('services'))('the way of a request, %s', (way) => {
  let gateway: TestGateway;
  let target: LlmPeer;
  let proxy: ReadyProxy;

  beforeAll(async () => {
    target = await startLlmPeer({ reply: 'Hello from the model' });
    gateway = await startGateway(way);
    proxy = await setUpProxy(gateway.admin, target.url, { policies: ['llm-security', 'llm-secrets'] });
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });

  const chat = (key: string | undefined, url = proxy.url) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
    });

  test('the official OpenAI client works, whole and streaming', async () => {
    const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: proxy.key, maxRetries: 0 });
    const question = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'hi' }] };
    const whole = await client.chat.completions.create(question);
    expect(whole.choices[0]?.message.content).toBe('Hello from the model');

    let streamed = '';
    const stream = await client.chat.completions.create({ ...question, stream: true });
    for await (const event of stream) streamed += event.choices[0]?.delta.content ?? '';
    expect(streamed).toBe('Hello from the model');
  });

  test('the official Anthropic client works, whole and streaming', async () => {
    const client = new Anthropic({ baseURL: proxy.url, apiKey: proxy.key, maxRetries: 0 });
    const question = {
      model: 'claude-opus-4-8',
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'hi' }],
    };
    const whole = await client.messages.create(question);
    expect(whole.content).toMatchObject([{ type: 'text', text: 'Hello from the model' }]);
    const final = await client.messages.stream(question).finalMessage();
    expect(final.content).toMatchObject([{ type: 'text', text: 'Hello from the model' }]);
  });

  test('the exchanges are logged, metered and counted on the key', async () => {
    const logs = await waitFor(
      async () => {
        const rows = await gateway.admin.expect<{ status_code: number }[]>('GET', `/proxies/${proxy.id}/logs`);
        return rows.length >= 4 ? rows : undefined;
      },
      { what: 'four log entries' },
    );
    expect(logs[0]).toMatchObject({ proxy_config_id: proxy.id, method: 'POST', status_code: 200, risk_level: 'None' });
    const tokens = await gateway.admin.expect('GET', `/proxies/${proxy.id}/tokens`);
    expect(tokens).toMatchObject({ proxy_id: proxy.id, totals: { request_count: 4 } });
    const keys = await gateway.admin.expect<object[]>('GET', `/api-keys?user_group_id=${proxy.groupId}`);
    expect(keys).toMatchObject([{ id: proxy.keyId, request_count: 4 }]);
  });

  test('keys are refused in the specified order with the exact texts', async () => {
    const refusal = async (key: string | undefined) => {
      const response = await chat(key);
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await refusal(undefined)).toEqual([401, 'Missing API key']);
    expect(await refusal('gw_unknown')).toEqual([401, 'Invalid API key: key not found']);

    const other = await gateway.admin.expect<{ id: number }>('POST', '/user-groups', { name: `outsiders ${way}` });
    const made = await gateway.admin.expect<{ api_key: { id: number }; key: string }>('POST', '/api-keys', {
      name: 'outsider',
      user_group_id: other.id,
    });
    const expectSoon = (answer: readonly [number, string]) =>
      waitFor(async () => JSON.stringify(await refusal(made.key)) === JSON.stringify(answer), {
        what: answer[1],
      });
    await expectSoon([403, 'API key does not have access to this proxy']);
    await gateway.admin.expect('PUT', `/user-groups/${other.id}`, { active: false });
    await expectSoon([401, 'User group is inactive']);
    await gateway.admin.expect('POST', `/api-keys/${made.api_key.id}/revoke`);
    await expectSoon([401, 'Invalid API key']);
    await gateway.admin.expect('DELETE', `/api-keys/${made.api_key.id}`);
    await expectSoon([401, 'Invalid API key: key not found']);
  });

  test('the rate limit of the access entry is in force soon after its change', async () => {
    await gateway.admin.expect('PUT', `/user-groups/${proxy.groupId}/proxy-access/${proxy.accessId}`, {
      rate_limit: 1,
    });
    const limited = await waitFor(
      async () => {
        const response = await chat(proxy.key);
        return response.status === 429 ? response : undefined;
      },
      { what: 'a 429' },
    );
    expect(limited.headers.get('x-ratelimit-limit')).toBe('1');
    expect(limited.headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
    await gateway.admin.expect('PUT', `/user-groups/${proxy.groupId}/proxy-access/${proxy.accessId}`, {
      rate_limit: 0,
    });
    await waitFor(async () => (await chat(proxy.key)).status === 200, { what: 'no limit' });
  });

  test('a target that is down is 502, and the proxy answers again when it is back', async () => {
    await target.down();
    expect((await chat(proxy.key)).status).toBe(502);
    await target.up();
    await waitFor(async () => (await chat(proxy.key)).status === 200, { what: 'the target to be back' });
  });

  test('stop frees the port, start takes it again, restart keeps serving; all are idempotent', async () => {
    const status = () => gateway.admin.expect<{ running: boolean }>('GET', `/proxies/${proxy.id}/status`);
    const command = (name: string) => gateway.admin.expect('POST', `/proxies/${proxy.id}/${name}`);
    expect(await status()).toMatchObject({ id: proxy.id, running: true, port: proxy.port });
    await command('stop');
    await command('stop');
    expect(await status()).toMatchObject({ running: false });
    await expect(chat(proxy.key)).rejects.toThrow('fetch failed');
    await command('start');
    await command('start');
    expect((await chat(proxy.key)).status).toBe(200);
    await command('restart');
    expect((await chat(proxy.key)).status).toBe(200);
    expect(await gateway.admin.expect('GET', '/proxies/status')).toContainEqual(
      expect.objectContaining({ id: proxy.id, running: true }),
    );
  });

  test('a port that is taken is 409, with who has it or what the system says', async () => {
    const body = { name: 'twin', type: 'llm', target: target.url, port: proxy.port, policy_names: [] };
    const twin = await gateway.admin.call('POST', '/proxies', body);
    expect(twin.status).toBe(409);
    expect(JSON.stringify(twin)).toContain('proxy ');

    // Another program has the port, and the proxy's target is not that program: one in front of its own port is refused.
    const elsewhere = { ...body, target: 'http://127.0.0.1:9', port: target.port };
    const taken = await gateway.admin.expect<{ id: number }>('POST', '/proxies', elsewhere);
    const start = await gateway.admin.call('POST', `/proxies/${taken.id}/start`);
    expect(start.status).toBe(409);
    expect(JSON.stringify(start)).toContain('EADDRINUSE');
  });
});

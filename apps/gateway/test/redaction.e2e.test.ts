import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

const policy = {
  name: 'house-privacy',
  rules: [
    {
      id: 'EMAIL',
      name: 'Addresses of the house',
      patterns: ['[a-z]{2,20}@house\\.example'],
      action: 'redact',
      redact: { restore: true },
    },
  ],
};
const content = 'Write to amy@house.example and bob@house.example, then to amy@house.example.';

describe.each(waysFor('one process'))('redaction, %s', (way) => {
  let gateway: TestGateway;
  let target: LlmPeer;
  let proxy: ReadyProxy;
  let client: OpenAI;

  beforeAll(async () => {
    // Repeats what it was asked, cut into the smallest pieces.
    target = await startLlmPeer({ chunks: (reply) => reply.split('') });
    gateway = await startGateway(way);
    await gateway.admin.expect('POST', '/policies', { document: policy });
    proxy = await setUpProxy(gateway.admin, target.url, { policies: [policy.name] });
    client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: proxy.key, maxRetries: 0 });
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });

  const question = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content }] };

  test('hides from the model what its caller sees again, whole and streamed', async () => {
    const whole = await client.chat.completions.create(question);
    expect(whole.choices[0]?.message.content).toBe(content);

    let streamed = '';
    const stream = await client.chat.completions.create({ ...question, stream: true });
    for await (const event of stream) streamed += event.choices[0]?.delta.content ?? '';
    expect(streamed).toBe(content);

    const seen = JSON.stringify(target.requests);
    expect(seen).toContain('Write to <EMAIL_1> and <EMAIL_2>, then to <EMAIL_1>.');
    expect(seen).not.toMatch(/(?:amy|bob)@house/);
  });

  test('leaves alerts that hold nothing of it', async () => {
    const list = () => gateway.admin.expect<object>('GET', `/system/alerts?policy_name=${policy.name}`);
    const alerts = await waitFor(
      async () => {
        const text = JSON.stringify(await list());
        return text.includes('EMAIL') ? text : undefined;
      },
      { what: 'alerts of the redaction' },
    );
    expect(alerts).toMatch(/"action":"Redact"/);
    expect(alerts).not.toMatch(/amy|bob/);
  });

  test('in shadow mode changes nothing', async () => {
    await gateway.admin.expect('PUT', `/proxies/${proxy.id}/policies/${policy.name}`, { mode: 'shadow' });
    const passed = await waitFor(
      async () => {
        await client.chat.completions.create(question);
        return JSON.stringify(target.requests.at(-1)).includes('amy@house.example');
      },
      { what: 'the policy to be in shadow mode' },
    );
    expect(passed).toBe(true);
  });
});

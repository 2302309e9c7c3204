import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

describe.each(waysFor('one process'))('system prompts, %s', (way) => {
  let gateway: TestGateway;
  let target: LlmPeer;
  let proxy: ReadyProxy;

  beforeAll(async () => {
    target = await startLlmPeer();
    gateway = await startGateway(way);
    proxy = await setUpProxy(gateway.admin, target.url);
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });

  const create = (name: string, content: string) =>
    gateway.admin.expect<{ id: number }>('POST', '/system-prompts', { name, content });
  const ask = async (...roles: readonly ('user' | 'assistant')[]): Promise<string> => {
    const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: proxy.key, maxRetries: 0 });
    const messages = roles.map((role) => ({ role, content: 'hi' }));
    await client.chat.completions.create({ model: 'gpt-4o-mini', messages });
    return target.requests.at(-1)?.body ?? '';
  };

  test('go to the target as assigned, are counted, and leave audit records', async () => {
    const house = await create('house', 'Be brief on {{.ProxyName}}.');
    const team = await create('team', 'You serve {{.UserGroup}}.');
    const broken = await create('broken', 'You are {{.Nobody}}.');
    await gateway.admin.expect('POST', `/system-prompts/${house.id}/assign/proxy/${proxy.id}`);
    const access = `/user-groups/${proxy.groupId}/proxy-access/${proxy.accessId}`;
    await gateway.admin.expect('PATCH', access, { system_prompt_id: team.id });
    const body = await waitFor(
      async () => {
        const sent = await ask('user');
        return sent.includes('You serve') && sent.includes('Be brief') ? sent : undefined;
      },
      { what: 'both prompts' },
    );
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    expect(messages[0]?.role).toBe('system');
    expect(messages[0]?.content).toMatch(/^You serve .+\.\n\n---\n\nBe brief on .+\.$/);

    expect(await ask('user', 'assistant', 'user')).not.toContain('Be brief');
    await gateway.admin.expect('PATCH', access, { system_prompt_id: broken.id });
    await waitFor(async () => !(await ask('user')).includes('You serve'), { what: 'the change' });
    expect(target.requests.at(-1)?.body).toContain('Be brief');

    await fetch(`${proxy.url}/v1beta/models/gemini-2.5-flash:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': proxy.key },
      body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }),
    });
    expect(target.requests.at(-1)?.body).toMatch(/^\{"systemInstruction":\{"parts":\[\{"text":"Be brief on /);

    const counted = ({ id }: { readonly id: number }) =>
      gateway.admin.expect<Record<string, unknown>>('GET', `/system-prompts/${id}`);
    await waitFor(async () => Number((await counted(broken))['skip_count']) >= 2, { what: 'the skipped ones' });
    expect(await counted(broken)).toMatchObject({ injection_count: 0, last_injected_at: null });
    const houseCounts = await counted(house);
    expect(Number(houseCounts['injection_count'])).toBeGreaterThanOrEqual(3);
    expect(houseCounts).toMatchObject({ skip_count: 1, last_injected_at: expect.stringMatching(/Z$/) });
    const told = (event: string) =>
      gateway.admin.expect<{ logs: { details: object }[] }>('GET', `/audit/logs?event_type=${event}`);
    const { logs } = await told('system_prompt.skipped');
    const reasons = logs.map(({ details }) => details);
    expect(reasons).toContainEqual(expect.objectContaining({ level: 'team', reason: 'template_error' }));
    expect(reasons).toContainEqual(expect.objectContaining({ level: 'proxy', reason: 'continuation' }));
    expect((await told('system_prompt.injected')).logs.length).toBeGreaterThanOrEqual(2);
  });
});

import { describe, expect, test } from '@jest/globals';
import { createNameScope } from '@portcullis/core/identity/name-scope';
import { hashKey } from '@portcullis/core/identity/presented-key';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';
import { callRequest, knownTools, listRequest, recordsOf, send, startToolTarget, tool } from './tool-target.ts';

interface Scopes {
  readonly models?: readonly string[];
  readonly tools?: readonly string[];
}

/** A proxy whose one key is restricted. */
const startScoped = ({ models, tools }: Scopes, options: StartOptions) =>
  startProxy({
    ...options,
    snapshot: {
      keysByHash: new Map([
        [
          hashKey(goodKey),
          {
            id: 1,
            name: 'ci',
            groupId: 1,
            active: true,
            expiresAtMs: Number.POSITIVE_INFINITY,
            models: createNameScope(models),
            tools: createNameScope(tools),
          },
        ],
      ]),
    },
  });

describe('a key with allowed_models', () => {
  const scope = { models: ['gpt-4o-mini', 'claude-*'] };
  const messages = [{ role: 'user', content: 'hello' }];

  test.each<[string, string, unknown, number]>([
    ['a model of it', '/v1/chat/completions', { model: 'gpt-4o-mini', messages }, 200],
    ['one that begins as one of it', '/v1/messages', { model: 'claude-haiku', messages }, 200],
    ['another model', '/v1/chat/completions', { model: 'gpt-4o', messages }, 403],
    ['a fallback to another', '/v1/chat/completions', { model: 'gpt-4o-mini', models: ['gpt-4o'], messages }, 403],
    ['another in the path', '/openai/deployments/gpt-4o/chat/completions', { model: 'gpt-4o-mini', messages }, 403],
    ['another in the query', '/v1/chat/completions?model=gpt-4o', { model: 'gpt-4o-mini', messages }, 403],
    ['another in a path with an escape', '/v1beta/models/gpt-4o%3AgenerateContent', { model: 'gpt-4o-mini' }, 403],
    ['another in a path that ends in a slash', '/v1beta/models/gpt-4o:generateContent/', { model: 'gpt-4o-mini' }, 403],
    ['another in a path in capitals', '/openai/Deployments/gpt-4o/chat/completions', { model: 'gpt-4o-mini' }, 403],
    ['another by its endpoint', '/v1/projects/p/endpoints/gpt-4o/chat/completions', { model: 'gpt-4o-mini' }, 403],
    ['one of it by an endpoint for all', '/v1/endpoints/openapi/chat/completions', { model: 'claude-haiku' }, 200],
    ['one of it in a path and its query', '/model/claude-x%3A0/invoke?a=b', { messages }, 200],
    [
      'no model but in the query',
      '/v1/realtime/client_secrets?model=gpt-4o-mini',
      { session: { model: 'gpt-4o' } },
      403,
    ],
    [
      'another as LiteLLM names fallbacks',
      '/v1/chat/completions',
      { model: 'claude-x', context_window_fallbacks: [{ 'claude-x': ['gpt-4o'] }], messages },
      403,
    ],
    ['two in one name', '/v1/chat/completions', { model: 'claude-x,gpt-4o', messages }, 403],
    [
      'another for a plugin',
      '/v1/chat/completions',
      { model: 'claude-x', plugins: [{ id: 'fusion', model: 'gpt-4o' }], messages },
      403,
    ],
    [
      'another for a tool',
      '/v1/responses',
      { model: 'gpt-4o-mini', input: 'x', tools: [{ type: 'image_generation', model: 'gpt-image-1' }] },
      403,
    ],
    ['no model', '/v1/batches', { input_file_id: 'file-1', endpoint: '/v1/chat/completions' }, 403],
    [
      'another in one of many',
      '/v1/messages/batches',
      { requests: [{ custom_id: 'a', params: { model: 'gpt-4o', max_tokens: 5, messages } }] },
      403,
    ],
    [
      'one of it in each of many',
      '/v1/messages/batches',
      { requests: [{ custom_id: 'a', params: { model: 'claude-haiku', max_tokens: 5, messages } }] },
      200,
    ],
  ])('asks %s', async (_, path, body, status) => {
    await using target = await listen((_request, response) => response.end('{}'));
    await using proxy = await startScoped(scope, { target: target.origin });
    const response = await fetch(proxy.origin + path, {
      method: 'POST',
      headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    expect([response.status, answer]).toEqual([status, expect.anything()]);
    if (status !== 403) return;
    expect(answer).toContain('The scope allowed_models of this API key allows gpt-4o-mini, claude-*');
    expect(recordsOf(proxy, 'request_log')).toMatchObject([
      { denied_reason: 'scope_denied', denied_stage: 'check-models' },
    ]);
  });

  test.each<[string, readonly string[], string, number]>([
    ['one of it', ['name="model"'], '', 200],
    ['another beside it', ['name="model"', 'name=model'], '', 403],
    ['another in a field that is written otherwise', ['name="prompt"', 'NAME = "model"'], '', 403],
    ['it in the query alone', ['name="prompt"'], '?model=gpt-4o-mini', 403],
  ])('asks in a form for %s', async (_, fields, query, status) => {
    await using target = await listen((_request, response) => response.end('{}'));
    await using proxy = await startScoped(scope, { target: target.origin });
    const parts = fields.map(
      (field, index) =>
        `--b\r\nContent-Disposition: form-data; ${field}\r\n\r\n${index === 0 ? 'gpt-4o-mini' : 'gpt-4o'}\r\n`,
    );
    const response = await fetch(`${proxy.origin}/v1/audio/transcriptions${query}`, {
      method: 'POST',
      headers: { 'x-api-key': goodKey, 'content-type': 'multipart/form-data; boundary=b' },
      body: `${parts.join('')}--b--\r\n`,
    });
    expect([response.status, await response.text()]).toEqual([status, expect.anything()]);
  });

  test('reads what is there', async () => {
    await using target = await listen((_request, response) => response.end('{"data":[]}'));
    await using proxy = await startScoped(scope, { target: target.origin });
    expect((await fetch(`${proxy.origin}/v1/models`, { headers: { 'x-api-key': goodKey } })).status).toBe(200);
  });
});

describe('a key with allowed_tools', () => {
  const [search, write] = [tool('search'), tool('write')];
  const tools = knownTools([[search], [write]]);
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [search, write] } });
  const called = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [] } });

  test.each(['enforce', 'monitor', 'off'] as const)(
    'calls these and sees these, tool filtering %s',
    async (filtering) => {
      await using target = await startToolTarget((body) => (body.includes('tools/list') ? list : called));
      await using proxy = await startScoped(
        { tools: ['sea*'] },
        { target: target.origin, proxy: { type: 'mcp', tools: { ...tools, filtering } } },
      );
      expect((await send(proxy, callRequest('search'))).status).toBe(200);
      const refused = await send(proxy, callRequest('write'));
      expect([refused.status, await refused.text()]).toEqual([
        403,
        expect.stringContaining(String.raw`The scope allowed_tools of this API key allows sea*, not \"write\"`),
      ]);
      expect(target.seen).toHaveLength(1);
      const answer = (await (await send(proxy, listRequest)).json()) as { result: { tools: { name: string }[] } };
      expect(answer.result.tools.map(({ name }) => name)).toEqual(['search']);
      expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Block', raw_data: { tier: 'key-scope' } }]);
    },
  );
});

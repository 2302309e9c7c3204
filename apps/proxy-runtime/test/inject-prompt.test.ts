import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { RequestLogRecord } from '@portcullis/contracts/records';
import type { CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import { aPolicy, aRule } from './a-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

const prompt = (id: number, content: string, active = true): CompiledPrompt => ({
  id,
  name: `prompt ${id}`,
  active,
  parsed: parseTemplate(content),
});
const team = prompt(1, 'You serve {{.UserGroup}}.');
const house = prompt(2, 'Be "brief".');
const both = 'You serve team.\n\n---\n\nBe "brief".';
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

async function start(options: Omit<StartOptions, 'target'>) {
  const bodies: string[] = [];
  const target = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const proxy = await startProxy({ target: target.origin, ...options });
  return {
    bodies,
    problems: proxy.problems,
    records: proxy.spool.records,
    logs: () => proxy.spool.records.filter(({ kind }) => kind === 'request_log') as unknown as RequestLogRecord[],
    /** Without a library that would tidy the path up. */
    async send(
      body: string | Buffer,
      path = '/v1/chat/completions',
      { type }: { readonly type: string | undefined } = { type: 'application/json' },
    ) {
      const headers = {
        'user-agent': 'node',
        authorization: `Bearer ${goodKey}`,
        ...(type !== undefined && { 'content-type': type }),
      };
      const { hostname, port } = new URL(proxy.origin);
      const asked = openRequest({ hostname, port, path, method: 'POST', headers });
      asked.end(body);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      await readText(response);
      return response.statusCode;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

const user = '{"role":"user","content":"hi"}';

describe('system prompts', () => {
  test.each([
    [
      'openai, where there was none',
      '/v1/chat/completions',
      `{"model":"m", "seed":1.0,"messages":[ ${user}]}`,
      `{"model":"m", "seed":1.0,"messages":[{"role":"system","content":"${inJson(both)}"}, ${user}]}`,
    ],
    [
      "openai, before the client's own",
      '/v1/chat/completions',
      `{"messages":[{"role":"developer","content":"Mine."},${user}],"x":1e3}`,
      `{"messages":[{"role":"developer","content":"${inJson(both)}\\n\\nMine."},${user}],"x":1e3}`,
    ],
    [
      'openai, before its parts',
      '/v1/chat/completions',
      `{"messages":[{"role":"system","content":[{"type":"text","text":"Mine."}]},${user}]}`,
      `{"messages":[{"role":"system","content":[{"type":"text","text":"${inJson(both)}"},{"type":"text","text":"Mine."}]},${user}]}`,
    ],
    [
      'anthropic, where there was none',
      '/v1/messages',
      `{"messages":[${user}], "max_tokens":5}`,
      `{"system":"${inJson(both)}","messages":[${user}], "max_tokens":5}`,
    ],
    [
      "anthropic, before the client's own",
      '/v1/messages',
      `{"system": "Mine.","messages":[${user}]}`,
      `{"system": "${inJson(both)}\\n\\nMine.","messages":[${user}]}`,
    ],
    [
      'openai, before a message of the system that says nothing',
      '/v1/chat/completions',
      `{"messages":[{"role":"system","content":null},${user}]}`,
      `{"messages":[{"role":"system","content":"${inJson(both)}"},{"role":"system","content":null},${user}]}`,
    ],
    [
      'anthropic, in the place of nothing',
      '/v1/messages',
      `{"system" : null,"messages":[${user}]}`,
      `{"system" : "${inJson(both)}","messages":[${user}]}`,
    ],
    [
      'responses, where there was none',
      '/v1/responses',
      '{"model":"m","input":"hi"}',
      `{"instructions":"${inJson(both)}","model":"m","input":"hi"}`,
    ],
    [
      "responses, before the client's own",
      '/v1/responses',
      `{"input":[${user}],"instructions":"Mine."}`,
      `{"input":[${user}],"instructions":"${inJson(both)}\\n\\nMine."}`,
    ],
    [
      'responses, in the place of nothing',
      '/v1/responses',
      `{"input":[${user}],"instructions":null,"n":1.0}`,
      `{"input":[${user}],"instructions":"${inJson(both)}","n":1.0}`,
    ],
    [
      'completions, before the text',
      '/v1/completions',
      '{"prompt":"Once upon","model":"m"}',
      `{"prompt":"${inJson(both)}\\n\\nOnce upon","model":"m"}`,
    ],
    [
      'completions, before each text',
      '/v1/completions',
      '{"prompt":["a", "b"]}',
      `{"prompt":["${inJson(both)}\\n\\na", "${inJson(both)}\\n\\nb"]}`,
    ],
    [
      'gemini, where there was none',
      '/v1beta/models/gemini-2.5-flash:generateContent',
      `{"contents":[{"parts":[{"text":"hi"}]}]}`,
      `{"systemInstruction":{"parts":[{"text":"${inJson(both)}"}]},"contents":[{"parts":[{"text":"hi"}]}]}`,
    ],
    [
      "gemini, before the client's own",
      '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      `{"contents":[{"parts":[{"text":"hi"}]}],"system_instruction":{"parts": [{"text":"Mine."}]}}`,
      `{"contents":[{"parts":[{"text":"hi"}]}],"system_instruction":{"parts": [{"text":"${inJson(both)}"},{"text":"Mine."}]}}`,
    ],
  ])('go to %s, and nothing else changes', async (_, path, body, expected) => {
    await using proxy = await start({ teamPrompt: team, proxy: { prompt: house } });
    expect(await proxy.send(body, path)).toBe(200);
    expect(proxy.bodies).toEqual([expected]);
    expect(proxy.logs()).toMatchObject([{ injected_prompts: [1, 2], request_size: Buffer.byteLength(body) }]);
    expect(proxy.records).toContainEqual(
      expect.objectContaining({ event_type: 'system_prompt.injected', resource_id: '1', user_agent: 'node' }),
    );
  });

  const passing = { proxy: { promptWithoutPlace: 'pass' } } as const;

  test('refuse what they broke for, unless the proxy may leave them out', async () => {
    const broken = {
      ...team,
      get parsed(): never {
        throw new Error('broken');
      },
    };
    const body = `{"messages":[${user}]}`;
    await using strict = await start({ teamPrompt: broken });
    expect(await strict.send(body)).toBe(500);
    expect([strict.bodies, strict.problems]).toEqual([[], ['fault inject-prompt: Error: broken']]);
    await using lax = await start({ teamPrompt: broken, ...passing });
    expect(await lax.send(body)).toBe(200);
    expect([lax.bodies, lax.problems]).toEqual([[body], strict.problems]);
  });

  const grown = `{"messages":[${user},{"role":"assistant","content":"ho"},${user}]}`;
  const text = '{"parts":[{"text":"hi"}]}';
  const [chat, messages, responses] = ['/v1/chat/completions', '/v1/messages', '/v1/responses'];
  const generate = '/v1/models/m:generateContent';
  const bytes = (maxBodyBytes: number) => ({ proxy: { promptLimits: { maxBodyBytes, maxMessages: 9 } } });
  const count = (maxMessages: number) => ({ proxy: { promptLimits: { maxBodyBytes: 999, maxMessages } } });

  test.each<[string, string, string, Omit<StartOptions, 'target'>, string]>([
    ['is too large', chat, `{"messages":[${user}]}`, bytes(5), 'body_too_large'],
    ['has too many messages', chat, `{"messages":[${user},${user}]}`, count(1), 'too_many_messages'],
    ['has too many items', responses, `{"input":[${user},${user}]}`, count(1), 'too_many_messages'],
    ['has too many contents', generate, `{"contents":[${text},${text}]}`, count(1), 'too_many_messages'],
    ['goes on', chat, grown, {}, 'continuation'],
    ['goes on (anthropic)', messages, grown, {}, 'continuation'],
    ['goes on (responses)', responses, `{"input":[{"type":"function_call_output"},${user}]}`, {}, 'continuation'],
    ['builds on an answer that is kept', responses, '{"input":"hi","previous_response_id":"r"}', {}, 'continuation'],
    ['goes on (gemini)', generate, `{"contents":[${text},{"role":"model","parts":[]}]}`, {}, 'continuation'],
    [
      'brings what a tool answered',
      messages,
      '{"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}',
      {},
      'continuation',
    ],
    ['has no place for it', messages, `{"system":7,"messages":[${user}]}`, passing, 'no_place'],
    ['has it in a cached content', generate, `{"cachedContent":"c","contents":[${text}]}`, passing, 'no_place'],
    ['is one of tokens', '/v1/completions', '{"prompt":[1,2]}', passing, 'no_place'],
  ])('stay out of a conversation that %s, and leave the reason', async (_, path, body, options, reason) => {
    await using proxy = await start({ teamPrompt: team, ...options });
    expect(await proxy.send(body, path)).toBe(200);
    expect(proxy.bodies).toEqual([body]);
    expect(proxy.logs()).toMatchObject([{ skipped_prompts: [1] }]);
    expect(proxy.logs()[0]?.injected_prompts).toBeUndefined();
    expect(proxy.records).toContainEqual(
      expect.objectContaining({
        event_type: 'system_prompt.skipped',
        details: { proxy_id: 7, level: 'team', reason },
      }),
    );
  });

  const asked = (params: string) => `{"custom_id":"a", "params": ${params}}`;
  const generated = (request: string) => `{"request":${request},"metadata":{"key":"a"}}`;
  const gone = `{"messages":[${user},{"role":"assistant","content":"ho"},${user}]}`;
  test.each([
    [
      'anthropic',
      '/v1/messages/batches',
      `{"requests":[${asked(`{"n":1.0,"messages":[${user}]}`)}, ${asked(gone)},${asked(`{"system":"Mine.","messages":[${user}]}`)}]}`,
      `{"requests":[${asked(`{"system":"${inJson(both)}","n":1.0,"messages":[${user}]}`)}, ${asked(gone)},${asked(`{"system":"${inJson(both)}\\n\\nMine.","messages":[${user}]}`)}]}`,
    ],
    [
      'gemini',
      '/v1beta/models/m:batchGenerateContent',
      `{"batch":{"input_config":{"requests":{"requests":[${generated(`{"contents":[${text}]}`)},${generated(`{"contents":[${text},{"role":"model","parts":[]}]}`)}]}}}}`,
      `{"batch":{"input_config":{"requests":{"requests":[${generated(`{"systemInstruction":{"parts":[{"text":"${inJson(both)}"}]},"contents":[${text}]}`)},${generated(`{"contents":[${text},{"role":"model","parts":[]}]}`)}]}}}}`,
    ],
  ])('go into each conversation of a batch that is not one that goes on (%s)', async (_, path, body, expected) => {
    await using proxy = await start({ teamPrompt: team, proxy: { prompt: house } });
    expect(await proxy.send(body, path)).toBe(200);
    expect(proxy.bodies).toEqual([expected]);
    expect(proxy.logs()).toMatchObject([{ injected_prompts: [1, 2], skipped_prompts: [1, 2] }]);
    const reasons = proxy.records.flatMap((record) => ('details' in record ? [record.details] : []));
    expect(reasons).toContainEqual({ proxy_id: 7, level: 'team', reason: 'continuation' });
  });

  test('go into a batch whose conversations are small, however many there are', async () => {
    await using proxy = await start({
      teamPrompt: team,
      proxy: { promptLimits: { maxBodyBytes: 60, maxMessages: 1 } },
    });
    const [small, large] = [`{"messages":[${user}]}`, `{"messages":[${user}],"padding":"${'x'.repeat(40)}"}`];
    await proxy.send(`{"requests":[${[small, small, large].map(asked).join(',')}]}`, '/v1/messages/batches');
    expect(proxy.bodies[0]?.match(/You serve team/g)).toHaveLength(2);
    const reasons = proxy.records.flatMap((record) => ('details' in record ? [record.details] : []));
    expect(reasons).toContainEqual({ proxy_id: 7, level: 'team', reason: 'body_too_large' });
  });

  test.each([
    ['stands in a file', '/v1/batches', '{"input_file_id":"file_1","endpoint":"/v1/chat/completions"}'],
    [
      'stands in a file (gemini)',
      '/v1/models/m:batchGenerateContent',
      '{"batch":{"inputConfig":{"fileName":"files/1"}}}',
    ],
    ['has no such place', '/v1/messages/batches', '{"requests":[{"params":{"system":7,"messages":[]}}]}'],
  ])('stay out of a batch that %s, and say so', async (_, path, body) => {
    await using proxy = await start({ teamPrompt: team, ...passing });
    expect(await proxy.send(body, path)).toBe(200);
    expect(proxy.bodies).toEqual([body]);
    expect(proxy.logs()).toMatchObject([{ skipped_prompts: [1] }]);
    const reasons = proxy.records.flatMap((record) => ('details' in record ? [record.details] : []));
    expect(reasons).toContainEqual({ proxy_id: 7, level: 'team', reason: 'no_place' });
  });

  const unplaced: readonly (readonly [path: string, body: string])[] = [
    [messages, `{"system":7,"messages":[${user}]}`],
    [chat, '{"model":"m"}'],
    [chat, `{"messages":{"0":${user}}}`],
    [chat, '[]'],
    [responses, '{"model":"m"}'],
    [generate, `{"cachedContent":"c","contents":[${text}]}`],
    ['/v1/completions', '{"prompt":[1,2]}'],
    ['/v1/batches', '{"input_file_id":"file_1"}'],
    ['/v1/messages/batches', '{"requests":[{"params":{"system":7,"messages":[]}}]}'],
  ];

  test.each(unplaced)('refuse what has no place for them: %s %s', async (path, body) => {
    await using proxy = await start({ teamPrompt: team });
    expect(await proxy.send(body, path)).toBe(400);
    expect(proxy.bodies).toEqual([]);
    expect(proxy.logs()).toMatchObject([{ denied_reason: 'prompt_without_place' }]);
  });

  test.each(unplaced)('let it pass where the proxy says so, or they are inactive: %s %s', async (path, body) => {
    for (const options of [{ teamPrompt: team, ...passing }, { teamPrompt: prompt(1, 'x', false) }]) {
      await using proxy = await start(options);
      expect(await proxy.send(body, path)).toBe(200);
      expect(proxy.bodies).toEqual([body]);
    }
  });

  test('refuse what is no conversation only where the proxy says so', async () => {
    const others = [
      ['/v1/embeddings', '{"input":"text"}'],
      ['/v1/messages/count_tokens', `{"messages":[${user}]}`],
      ['/api/anything', '{"text":"hi"}'],
    ] as const;
    await using lenient = await start({ teamPrompt: team });
    await using strict = await start({ teamPrompt: team, proxy: { promptWithoutPlace: 'deny_all' } });
    for (const [path, body] of others) {
      expect(await lenient.send(body, path)).toBe(200);
      expect(await strict.send(body, path)).toBe(400);
    }
    expect(await strict.send(`{"messages":[${user}]}`)).toBe(200);
  });

  test.each([
    '//v1//chat//completions',
    '/v1/./chat/completions',
    '/v1/chat/x/../completions',
    '/v1/chat/completions;a=b',
    '/v1/chat;a=b/completions',
    '/v1/chat%2fcompletions',
    '/v1/chat%252Fcompletions',
    '/v1%5cchat%5Ccompletions',
    '/v1/chat/%63ompletions',
    '/V1/Chat/Completions/',
    '/v1/chat/completions%20',
    '/v1/chat/completions/%2e',
    '/v1/chat/completions%3fx',
  ])('go in however the path is spelled: %s', async (path) => {
    await using proxy = await start({ teamPrompt: team });
    expect(await proxy.send(`{"messages":[${user}]}`, path)).toBe(200);
    expect(proxy.bodies[0]).toContain('You serve team');
  });

  const plain = `{"messages":[${user}]}`;
  test.each<[string, Buffer | string]>([
    ['a byte order mark', `\uFEFF${plain}`],
    ['NaN', `{"temperature":NaN,"messages":[${user}]}`],
    ['a trailing comma', `{"messages":[${user},]}`],
    ['a comment', `/* */${plain}`],
    ['lines', `${plain}\n${plain}\n`],
    ['UTF-16', Buffer.from(plain, 'utf16le')],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${plain}`, 'utf16le')],
    ['UTF-16 the other way round', Buffer.from(plain, 'utf16le').swap16()],
    ['UTF-32', Buffer.from(plain.replaceAll(/./g, '$&\0'), 'utf16le')],
    ['bytes that are not UTF-8', Buffer.from(`{"x":"\u00C1","messages":[${user}]}`, 'latin1')],
    ['a form', 'messages=hi'],
  ])('cannot be got round by %s', async (_what, body) => {
    for (const type of [undefined, 'text/plain', 'application/json', 'application/octet-stream']) {
      await using proxy = await start({ teamPrompt: team });
      expect(await proxy.send(body, chat, { type })).toBe(400);
      expect(proxy.bodies).toEqual([]);
    }
  });

  test('that cannot be read cost only themselves their place, with a warning', async () => {
    await using proxy = await start({ teamPrompt: prompt(1, '{{.Nobody}}'), proxy: { prompt: house } });
    await proxy.send(`{"messages":[${user}]}`);
    expect(proxy.bodies[0]).toContain(`[{"role":"system","content":"Be \\"brief\\"."}`);
    expect(proxy.logs()).toMatchObject([{ injected_prompts: [2], skipped_prompts: [1] }]);
    expect(proxy.problems).toEqual(['broken prompt prompt 1']);
  });

  test('that are inactive do nothing, and what is no conversation stays as it is', async () => {
    await using proxy = await start({ teamPrompt: prompt(1, 'x', false) });
    for (const [body, path] of [
      [`{"messages":[${user}]}`, '/v1/chat/completions'],
      ['{"input":"text"}', '/v1/embeddings'],
    ] as const) {
      expect(await proxy.send(body, path)).toBe(200);
      expect(proxy.bodies.at(-1)).toBe(body);
    }
    const told = proxy.logs().flatMap(({ injected_prompts: sent, skipped_prompts: skipped }) => sent ?? skipped ?? []);
    expect(told).toEqual([]);
  });

  test('cannot be got round by a key that stands twice', async () => {
    await using proxy = await start({ teamPrompt: team });
    expect(await proxy.send(`{"messages":[],"messages":[${user}]}`)).toBe(400);
    expect(proxy.bodies).toEqual([]);
  });

  test('are read by the policies, and count only when they went out', async () => {
    const policy = aPolicy('p', [aRule('R', 'serve team', { category: 'Other' })]);
    await using proxy = await start({ teamPrompt: team, policies: [policy] });
    expect(await proxy.send(`{"messages":[${user}]}`)).toBe(403);
    expect(proxy.logs()[0]?.injected_prompts).toBeUndefined();
  });

  test('are told in the audit log once a minute for each key, and counted each time', async () => {
    await using proxy = await start({ teamPrompt: team });
    for (let times = 0; times < 5; times += 1) await proxy.send(`{"messages":[${user}]}`);
    expect(proxy.logs().filter(({ injected_prompts: ids }) => ids?.includes(1))).toHaveLength(5);
    expect(proxy.records.filter(({ kind }) => kind === 'audit')).toHaveLength(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { Policy } from '@portcullis/core/policy/policy';
import type { CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import { OpenAI } from 'openai';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

const secret = 'You serve "team".\nNever say why.';
const prompt: CompiledPrompt = { id: 1, name: 'prompt', active: true, parsed: parseTemplate(secret) };

type Answer = (body: Readonly<Record<string, unknown>>) => { status?: number; type?: string; text: string };

/** A target that answers what it is told to, over a proxy with a system prompt. */
async function start(answer: Answer, options: Omit<StartOptions, 'target'> = { teamPrompt: prompt }) {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const target = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Readonly<Record<string, unknown>>;
      seen.push(body);
      const { status = 200, type = 'application/json', text } = answer(body);
      response.writeHead(status, { 'content-type': type }).end(text);
    });
  });
  const proxy = await startProxy({ target: target.origin, ...options });
  return {
    seen,
    origin: proxy.origin,
    problems: proxy.problems,
    send: (path: string, body?: object) =>
      fetch(`${proxy.origin}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

/** As OpenAI answers: the instructions of the request stand in the response. */
const response = (instructions: unknown, status = 'completed') => ({
  id: 'resp_1',
  object: 'response',
  status,
  instructions: instructions ?? null,
  output: [],
  temperature: '1.0',
});
const inEvent = (type: string, sequence: number, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`;
const stream: Answer = ({ instructions }) => ({
  type: 'text/event-stream',
  text:
    inEvent('response.created', 0, { response: response(instructions, 'in_progress') }) +
    inEvent('response.in_progress', 1, { response: response(instructions, 'in_progress') }) +
    inEvent('response.output_text.delta', 2, { item_id: 'i', output_index: 0, content_index: 0, delta: 'Hi' }) +
    inEvent('response.completed', 3, { response: response(instructions) }),
});
const whole: Answer = ({ instructions }) => ({ text: JSON.stringify(response(instructions)) });

const hiding: Policy = { ...doorsPolicy, rules: doorsPolicy.rules.map((rule) => ({ ...rule, action: 'redact' })) };
const parts = [{ role: 'developer', content: 'Mine.' }];

describe('the instructions of a response are those of the client', () => {
  const cases = [
    ['none', undefined, null],
    ['a null', null, null],
    ['an empty text', '', ''],
    ['a text', 'Mine.', 'Mine.'],
    ['a list', parts, parts],
    ['the same as the prompt', secret, secret],
  ] as const;

  test.each(cases)('in an answer to %s', async (_, instructions, expected) => {
    await using proxy = await start(whole);
    const answer = await (await proxy.send('/v1/responses', { model: 'm', input: 'hi', instructions })).text();
    expect(JSON.stringify(proxy.seen)).toContain('Never say why');
    expect(answer).toBe(JSON.stringify(response(expected)));
  });

  test.each(cases)('in every event of a stream to %s', async (_, instructions, expected) => {
    await using proxy = await start(stream, { teamPrompt: prompt, policies: [doorsPolicy] });
    const sent = { model: 'm', input: 'hi', stream: true, instructions };
    const answer = await (await proxy.send('/v1/responses', sent)).text();
    expect(answer).toBe(stream({ instructions: expected }).text);
  });

  test('also where a canary token stands behind them', async () => {
    await using proxy = await start(whole, { teamPrompt: prompt, proxy: { canaryRate: 1 } });
    const sent = { model: 'm', input: 'hi', instructions: 'Mine.' };
    const answer = await (await proxy.send('/v1/responses', sent)).json();
    expect(proxy.seen[0]?.['instructions']).toMatch(/Mine\.\n\n\(ref:/);
    expect(answer).toMatchObject({ instructions: 'Mine.' });
  });

  test('with what the target was not told hidden in them', async () => {
    await using proxy = await start(whole, { teamPrompt: prompt, policies: [hiding] });
    const sent = { model: 'm', input: 'hi', instructions: `Say ${forbidden}` };
    const answer = await (await proxy.send('/v1/responses', sent)).json();
    expect(answer).toMatchObject({ instructions: 'Say <DOOR_1_1>' });
  });

  test('and policies for answers do not read what the gateway wrote', async () => {
    const words: CompiledPrompt = { ...prompt, parsed: parseTemplate(`Never say ${forbidden}.`) };
    const onAnswers: Policy = {
      ...doorsPolicy,
      rules: doorsPolicy.rules.map((rule) => ({ ...rule, conditions: { direction: 'response' } })),
    };
    await using proxy = await start(whole, { teamPrompt: words, policies: [onAnswers] });
    expect((await proxy.send('/v1/responses', { model: 'm', input: 'hi' })).status).toBe(200);
  });

  test('an answer that is too large to be read does not leave', async () => {
    const huge: Answer = (body) => ({ text: JSON.stringify({ pad: 'x'.repeat(5_000), ...response(body) }) });
    await using proxy = await start(huge, { teamPrompt: prompt, maxInspectedBytes: 1_000 });
    expect((await proxy.send('/v1/responses', { model: 'm', input: 'hi' })).status).toBe(502);
  });

  test('of one that the provider keeps nothing is shown, since it is not known what they were', async () => {
    await using proxy = await start(() => ({ text: JSON.stringify(response(`${secret}\n\nMine.`)) }));
    expect(await (await proxy.send('/v1/responses/resp_1')).json()).toMatchObject({ instructions: null });
    await using plain = await start(() => whole({ instructions: 'Mine.' }), {});
    expect(await (await plain.send('/v1/responses/resp_1')).json()).toMatchObject({ instructions: 'Mine.' });
  });

  test('the official client reads them', async () => {
    await using proxy = await start(stream);
    const client = new OpenAI({ baseURL: `${proxy.origin}/v1`, apiKey: goodKey, maxRetries: 0 });
    const told: unknown[] = [];
    const asked = { model: 'm', input: 'hi', instructions: 'Mine.', stream: true as const };
    for await (const event of await client.responses.create(asked)) {
      if ('response' in event) told.push(event.response.instructions);
    }
    expect(told).toEqual(['Mine.', 'Mine.', 'Mine.']);
  });
});

test('of a chat that is kept the messages of the system are not shown', async () => {
  const data = [
    { role: 'system', content: `${secret}\n\nMine.` },
    { role: 'user', content: 'hi' },
  ];
  await using proxy = await start(() => ({ text: JSON.stringify({ object: 'list', data }) }));
  const { data: shown } = (await (await proxy.send('/v1/chat/completions/c1/messages')).json()) as typeof proxy & {
    data: unknown;
  };
  expect(shown).toEqual([
    { role: 'system', content: null },
    { role: 'user', content: 'hi' },
  ]);
});

describe('an error that quotes the request', () => {
  const user = { role: 'user', content: 'hi' };
  test.each([
    ['OpenAI chat', '/v1/chat/completions', { model: 'm', messages: [user] }],
    ['Anthropic messages', '/v1/messages', { model: 'm', messages: [user] }],
    ['OpenAI responses', '/v1/responses', { model: 'm', input: 'hi' }],
    ['OpenAI completions', '/v1/completions', { model: 'm', prompt: 'hi' }],
    ['Gemini', '/v1beta/models/m:generateContent', { contents: [{ parts: [{ text: 'hi' }] }] }],
  ])('of %s does not quote the prompt', async (_, path, body) => {
    const quote: Answer = (input) => ({
      status: 422,
      text: JSON.stringify({ error: { message: `Invalid: ${JSON.stringify(input)}` }, detail: [{ input }] }),
    });
    await using proxy = await start(quote);
    const answer = await proxy.send(path, body);
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(JSON.stringify(proxy.seen)).toContain('Never say why');
    expect(text).toContain('hi');
    expect(text).not.toContain('Never say why');
    expect(proxy.problems).toEqual([]);
  });
});

test.each([
  ['/v1/completions', { prompt: 'hi', echo: true }, 400],
  ['/v1/completions', { prompt: 'hi', echo: false }, 200],
  ['/v1/completions', { prompt: 'hi', prompt_logprobs: 0 }, 400],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], prompt_logprobs: 1 }, 400],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], echo: true }, 200],
])('%s cannot be asked to repeat its prompt: %j', async (path, body, status) => {
  await using proxy = await start(() => ({ text: '{}' }));
  expect((await proxy.send(path, { model: 'm', ...body })).status).toBe(status);
});

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { UsageRecord } from '@portcullis/contracts/records';
import { flatRate } from '@portcullis/core/pricing/model-price';
import { silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createTokenCounter } from '../src/metering/token-counter.ts';
import { goodKey, listen, startProxy, type Peer, type RunningProxy, type StartOptions } from './start-proxy.ts';

type Answer = (response: ServerResponse, body: string, request: IncomingMessage) => void;

const collect = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const listenWith = (answer: Answer): Promise<Peer> =>
  listen((request, response) => void collect(request).then((body) => answer(response, body, request)));

const post = (proxy: RunningProxy, body: object, path = '/v1/chat/completions', signal?: AbortSignal) =>
  fetch(proxy.origin + path, {
    method: 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

const usageOf = (proxy: RunningProxy): UsageRecord | undefined =>
  proxy.spool.records.find(
    (record): record is UsageRecord => record.kind === 'usage' || record.kind === 'usage_counted',
  );

const json =
  (value: object): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const events = (...data: (object | string)[]): string =>
  data.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('');

const stream =
  (text: string): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);

const start = async (answer: Answer, options: Partial<StartOptions> = {}) => {
  const target = await listenWith(answer);
  const proxy = await startProxy({ target: target.origin, prices: { m: [3, 15] }, ...options });
  return {
    target,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
};

const question = { model: 'm', messages: [{ role: 'user', content: 'one two three four' }] };
const told = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

test('tokens of a whole answer are priced, and what is set wins over the table', async () => {
  const details = { prompt_tokens_details: { cached_tokens: 60 }, completion_tokens_details: { reasoning_tokens: 4 } };
  const answer = json({ model: 'm', choices: [], usage: { ...told, ...details } });
  await using plain = await start(answer);
  await (await post(plain.proxy, question)).text();
  expect(usageOf(plain.proxy)).toMatchObject({
    model: 'm',
    input_tokens: 100,
    cached_input_tokens: 60,
    output_tokens: 10,
    reasoning_tokens: 4,
    total_tokens: 110,
    cost_micro_usd: 450,
    priced: true,
    estimated: false,
  });

  const own = { input: flatRate(10), cachedInput: flatRate(1), output: flatRate(0) };
  const price = { ...own, cacheWrite: undefined, longCacheWrite: undefined };
  const pricing = { overrides: new Map([['m*', price]]), blocksUnknown: false };
  await using set = await start(answer, { snapshot: { pricing } });
  await (await post(set.proxy, question)).text();
  expect(usageOf(set.proxy)?.cost_micro_usd).toBe(460);
});

test('a model without a price costs nothing, and that is told once', async () => {
  await using running = await start(json({ model: 'other', usage: told }));
  for (const _ of [1, 2]) await (await post(running.proxy, question)).text();
  expect(usageOf(running.proxy)).toMatchObject({ model: 'other', cost_micro_usd: 0, priced: false });
  expect(running.proxy.unpriced).toEqual(['other']);
});

test('a stream is asked for its usage, and the client does not see the answer to what it did not ask', async () => {
  let body = '';
  const chunk = { model: 'm', choices: [{ index: 0, delta: { content: 'hello' } }] };
  const usageEvent = { model: 'm', choices: [], usage: told };
  await using running = await start((response, received) => {
    body = received;
    stream(events(chunk, usageEvent, '[DONE]'))(response, received, {} as IncomingMessage);
  });
  const asks = JSON.stringify({ ...question, stream: true });
  const answer = await (await post(running.proxy, { ...question, stream: true })).text();
  expect(body).toBe(`{"stream_options":{"include_usage":true},${asks.slice(1)}`);
  expect(answer).toBe(events(chunk, '[DONE]'));
  expect(usageOf(running.proxy)).toMatchObject({ input_tokens: 100, output_tokens: 10, estimated: false });

  const itself = { ...question, stream: true, stream_options: { include_usage: true } };
  const complete = await (await post(running.proxy, itself)).text();
  expect(body).toBe(JSON.stringify(itself));
  expect(complete).toBe(events(chunk, usageEvent, '[DONE]'));
});

test('what is written in the background is estimated when it is asked for, and counted once it is finished', async () => {
  const created_at = Math.floor(Date.now() / 1_000) - 60;
  const response = { id: 'resp_1', object: 'response', created_at, background: true, model: 'm', output: [] };
  const finished = { ...response, status: 'completed', usage: { input_tokens: 100, output_tokens: 10 } };
  let shown: object = { ...response, status: 'queued', usage: null };
  await using running = await start((...answer) => json(shown)(...answer));
  const { proxy } = running;
  const records = () => proxy.spool.records.filter(({ kind }) => kind.startsWith('usage')) as UsageRecord[];
  const fetchIt = async (query = '') =>
    (await fetch(`${proxy.origin}/v1/responses/resp_1${query}`, { headers: { 'x-api-key': goodKey } })).text();
  await (await post(proxy, { model: 'm', input: 'one two three four', background: true }, '/v1/responses')).text();
  await fetchIt();
  const timestamp = new Date(created_at * 1_000).toISOString();
  expect(records()).toMatchObject([{ kind: 'usage_rough', estimated: true, timestamp, output_tokens: 0 }]);

  shown = finished;
  await fetchIt();
  await fetchIt('?include[]=reasoning.encrypted_content');
  const [rough, told, ...more] = records();
  expect(more).toEqual([]);
  expect(told).toMatchObject({
    kind: 'usage_counted',
    event_id: rough?.event_id,
    timestamp,
    protocol: 'openai-responses',
    estimated: false,
    input_tokens: 100,
    cost_micro_usd: 450,
  });

  // Fetched again are also those that were answered at once, and those that are not kept any more.
  shown = { ...finished, id: 'resp_2', background: false };
  await fetchIt();
  shown = { ...finished, id: 'resp_3', created_at: 1_600_000_000 };
  await fetchIt();
  expect(records()).toHaveLength(2);
});

test('a form names its model, and a transcription is priced', async () => {
  const transcribed = { text: 'hello', usage: { type: 'tokens', input_tokens: 100, output_tokens: 10 } };
  await using running = await start(json(transcribed));
  const body = new FormData();
  body.append('file', new Blob(['sound']), 'speech.mp3');
  body.append('model', 'm');
  const headers = { 'x-api-key': goodKey };
  const answer = await fetch(`${running.proxy.origin}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  expect(await answer.json()).toEqual(transcribed);
  expect(usageOf(running.proxy)).toMatchObject({ model: 'm', cost_micro_usd: 450, priced: true, estimated: false });
});

test('an answer that tells nothing is estimated by a tokenizer', async () => {
  await using counter = createTokenCounter(silentLog);
  const content = 'The quick brown fox jumps over the lazy dog.';
  await using running = await start(json({ model: 'm', choices: [{ message: { content } }] }), { counter });
  await (await post(running.proxy, question)).text();
  // The answer has left: what was seen by then would be there after a crash.
  const rough = running.proxy.spool.records.find(({ kind }) => kind === 'usage_rough');
  expect(rough).toMatchObject({ estimated: true, priced: true, model: 'm', output_tokens: 12 });
  await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the estimate' });
  const record = usageOf(running.proxy);
  expect(record).toMatchObject({ estimated: true, priced: true, model: 'm', event_id: rough?.event_id });
  // Ten words and a stop, and the name of the model.
  expect(record?.output_tokens).toBeGreaterThanOrEqual(10);
  expect(record?.output_tokens).toBeLessThanOrEqual(13);
  expect(record?.input_tokens).toBeGreaterThanOrEqual(4);
  expect(record?.input_tokens).toBeLessThanOrEqual(8);
});

describe('an exchange of no known API', () => {
  const messages = [{ role: 'user', content: 'one two three four' }];
  const answer = json({ reply: 'five six' });
  const ask = async (path: string, body: object) => {
    await using running = await start(answer);
    await (await post(running.proxy, body, path)).text();
    await waitFor(() => running.proxy.spool.records.length > 0, { what: 'the log' });
    return running.proxy.spool.records.filter(({ kind }) => kind.startsWith('usage')) as UsageRecord[];
  };

  test.each<[what: string, path: string, body: object, model: string]>([
    ['a conversation', '/v9/talk', { model: 'm', messages }, 'm'],
    ['one without a model', '/v9/talk', { messages }, 'unknown'],
    ['a prompt', '/v1/images/generations', { model: 'm', prompt: 'a cat' }, 'm'],
    ['a text for a model', '/v1/audio/speech', { model: 'm', input: 'one two', voice: 'v' }, 'm'],
    ['a prompt for a model in the path', '/client/v4/accounts/a/ai/run/@cf/meta/m', { prompt: 'a' }, '@cf/meta/m'],
  ])('that brings %s leaves a record, marked as an estimate', async (_, path, body, model) => {
    const [rough] = await ask(path, body);
    expect(rough).toMatchObject({ protocol: 'any-json', model, estimated: true, output_tokens: 2 });
    expect(rough?.input_tokens).toBeGreaterThan(0);
  });

  test.each<[what: string, path: string, body: object]>([
    ['asks for no model', '/v1/files/search', { name: 'a' }],
    ['only counts tokens', '/v1/messages/count_tokens', { model: 'm', messages }],
    ['counts them on Vertex AI', '/v1/publishers/anthropic/models/count-tokens:rawPredict', { model: 'm', messages }],
    ['keeps a thread', '/v1/threads', { messages }],
    ['makes an assistant', '/v1/assistants', { model: 'm', instructions: 'Be kind.' }],
    ['has texts of a form', '/v1/forms', { text: 'a' }],
  ])('that %s leaves none', async (_, path, body) => {
    expect(await ask(path, body)).toEqual([]);
  });

  test('a form with a file is counted as one', async () => {
    await using running = await start(json({ text: 'hello there' }));
    const body = new FormData();
    body.append('file', new Blob(['sound'.repeat(10_000)]), 'speech.mp3');
    body.append('model', 'm');
    const headers = { 'x-api-key': goodKey };
    await (await fetch(`${running.proxy.origin}/v1/audio/transcriptions`, { method: 'POST', headers, body })).text();
    await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the estimate' });
    expect(usageOf(running.proxy)).toMatchObject({
      model: 'm',
      estimated: true,
      input_tokens: 1_000,
      output_tokens: 3,
    });
  });
});

test('what the provider says that it cost stands beside what the prices come to', async () => {
  await using running = await start(json({ model: 'm', usage: { ...told, cost: 0.000_123 } }));
  await (await post(running.proxy, question)).text();
  expect(usageOf(running.proxy)).toMatchObject({ cost_micro_usd: 450, stated_cost_micro_usd: 123, priced: true });
  await using silent = await start(json({ model: 'm', usage: { ...told, cost: -1 } }));
  await (await post(silent.proxy, question)).text();
  expect(usageOf(silent.proxy)?.stated_cost_micro_usd).toBeUndefined();
});

test('what LiteLLM says in a header that it cost stands there too, but of a stream, whose headers come before the cost', async () => {
  const withCost =
    (type: string, body: string): Answer =>
    (response) =>
      void response.writeHead(200, { 'content-type': type, 'x-litellm-response-cost': '0.0042' }).end(body);
  await using whole = await start(withCost('application/json', JSON.stringify({ model: 'm', usage: told })));
  await (await post(whole.proxy, question)).text();
  expect(usageOf(whole.proxy)).toMatchObject({ cost_micro_usd: 450, stated_cost_micro_usd: 4_200 });
  await using streamed = await start(withCost('text/event-stream', events({ model: 'm', usage: told }, '[DONE]')));
  await (await post(streamed.proxy, { ...question, stream: true })).text();
  await waitFor(() => usageOf(streamed.proxy) !== undefined, { what: 'the record' });
  expect(usageOf(streamed.proxy)?.stated_cost_micro_usd).toBeUndefined();
});

test('a variant that nobody pays for is recorded as it was asked for', async () => {
  await using running = await start(json({ model: 'm', usage: told }));
  await (await post(running.proxy, { ...question, model: 'm:free' })).text();
  expect(usageOf(running.proxy)).toMatchObject({ model: 'm:free' });
});

test('a long word, and words that mean something to a tokenizer, are only texts', async () => {
  await using counter = createTokenCounter(silentLog);
  const [long = 0, special] = await counter.count(['a'.repeat(65_536), '<|endoftext|>']);
  // An eighth by the tokenizer, a fourth by the rule of thumb.
  expect(long).toBe(8_192);
  expect(special).toBe(7);
});

test('what has streamed is counted when the client hangs up half way', async () => {
  const sent: ServerResponse[] = [];
  await using running = await start((response) => {
    sent.push(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events({ model: 'm', choices: [{ index: 0, delta: { content: 'x'.repeat(400) } }] }));
  });
  const gone = new AbortController();
  const response = await post(running.proxy, { ...question, stream: true }, undefined, gone.signal);
  const closed = once(sent[0] as ServerResponse, 'close');
  await response.body?.getReader().read();
  gone.abort();
  await closed;
  await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the estimate' });
  expect(usageOf(running.proxy)).toMatchObject({ estimated: true, output_tokens: 100 });
});

test('a message of Anthropic that breaks off keeps the input it told', async () => {
  const message = { model: 'm', content: [], usage: { input_tokens: 50, output_tokens: 1 } };
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'y'.repeat(80) } };
  await using running = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events({ type: 'message_start', message }, delta), () => response.destroy());
  });
  const response = await post(running.proxy, { ...question, stream: true }, '/v1/messages');
  await response.text().catch(() => undefined);
  await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the estimate' });
  expect(usageOf(running.proxy)).toMatchObject({ estimated: true, input_tokens: 50, output_tokens: 20 });
});

test.each([
  ['an error of the target', 500],
  ['a refusal of the target', 429],
])('%s costs nothing', async (_, status) => {
  await using running = await start((response) => void response.writeHead(status).end('{}'));
  await (await post(running.proxy, question)).text();
  expect(running.proxy.spool.records.map(({ kind }) => kind)).toEqual(['request_log']);
});

describe('every dialect', () => {
  const read = { promptTokenCount: 90, candidatesTokenCount: 6, thoughtsTokenCount: 4, totalTokenCount: 100 };
  const responses = { input_tokens: 90, output_tokens: 10, output_tokens_details: { reasoning_tokens: 4 } };
  const chat = { prompt_tokens: 90, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 4 } };
  const candidates = [{ content: { parts: [{ text: 'hi' }] } }];
  const flash = '/v1beta/models/m:';

  test.each([
    ['openai-chat', '/v1/chat/completions', json({ model: 'm', usage: chat }), 4],
    ['openai-completions', '/v1/completions', json({ model: 'm', usage: chat }), 4],
    ['openai-responses', '/v1/responses', json({ model: 'm', usage: responses }), 4],
    ['gemini', `${flash}generateContent`, json({ candidates, usageMetadata: read, modelVersion: 'm' }), 4],
    ['any-json', '/v1/images/generations', json({ model: 'm', usage: responses }), 4],
    [
      'openai-responses',
      '/v1/responses',
      stream(events({ type: 'response.completed', response: { model: 'm', usage: responses } })),
      4,
    ],
    [
      'gemini',
      `${flash}streamGenerateContent?alt=sse`,
      stream(
        events({ candidates, usageMetadata: { promptTokenCount: 90 } }, { usageMetadata: read, modelVersion: 'm' }),
      ),
      4,
    ],
    [
      'gemini',
      `${flash}streamGenerateContent`,
      json([{ candidates }, { candidates, usageMetadata: read, modelVersion: 'm' }]),
      4,
    ],
    [
      'anthropic-messages',
      '/v1/messages',
      stream(
        events(
          { type: 'message_start', message: { model: 'm', usage: { input_tokens: 90, output_tokens: 1 } } },
          { type: 'message_delta', usage: { output_tokens: 10 } },
          { type: 'message_stop' },
        ),
      ),
      0,
    ],
  ] as const)('%s on %s', async (protocol, path, answer, reasoning) => {
    await using running = await start(answer);
    await (await post(running.proxy, question, path)).text();
    expect(usageOf(running.proxy)).toMatchObject({
      protocol,
      model: 'm',
      input_tokens: 90,
      output_tokens: 10,
      reasoning_tokens: reasoning || undefined,
      cost_micro_usd: 90 * 3 + 10 * 15,
      estimated: false,
    });
  });

  test('of embeddings has only input', async () => {
    await using running = await start(
      json({ model: 'm', data: [{ embedding: [0.1] }], usage: { prompt_tokens: 8, total_tokens: 8 } }),
    );
    await (await post(running.proxy, { model: 'm', input: 'one' }, '/v1/embeddings')).text();
    expect(usageOf(running.proxy)).toMatchObject({ input_tokens: 8, output_tokens: 0, cost_micro_usd: 24 });
  });

  test('counts an answer once, however often it is fetched', async () => {
    await using running = await start(json({ model: 'm', usage: responses }));
    const headers = { 'x-api-key': goodKey };
    await (await fetch(`${running.proxy.origin}/v1/responses/resp_1`, { headers })).text();
    await (await fetch(`${running.proxy.origin}/v1/chat/completions`, { headers })).text();
    expect(usageOf(running.proxy)).toBeUndefined();
  });
});

describe('a target that does not know stream_options', () => {
  const chunk = { model: 'm', choices: [{ index: 0, delta: { content: 'hello' } }] };
  const streaming = { ...question, stream: true };
  /** Refuses with the body of such targets, and counts what came. */
  const startStrict = async (
    options: Partial<StartOptions> = {},
    refusal: object = { loc: ['body', 'stream_options'] },
  ) => {
    const bodies: string[] = [];
    const running = await start((response, body) => {
      bodies.push(body);
      if (body.includes('stream_options')) {
        response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: [refusal] }));
      } else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events(chunk, '[DONE]'));
    }, options);
    return { ...running, bodies };
  };
  const asked = (bodies: readonly string[]): readonly boolean[] =>
    bodies.map((body) => body.includes('stream_options'));

  test('gets the request once more as it was, and the next one as it is', async () => {
    await using running = await startStrict();
    for (let times = 0; times < 2; times += 1) {
      expect(await (await post(running.proxy, streaming)).text()).toBe(events(chunk, '[DONE]'));
    }
    expect(asked(running.bodies)).toEqual([true, false, false]);
    expect(running.bodies[1]).toBe(JSON.stringify(streaming));
    await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the estimate' });
    expect(usageOf(running.proxy)).toMatchObject({ estimated: true });
    expect(running.proxy.spool.records.filter(({ kind }) => kind === 'request_log')).toHaveLength(2);
    expect(running.proxy.problems).toEqual([]);
  });

  test('tells its client when that client asked itself', async () => {
    await using running = await startStrict();
    const own = { ...streaming, stream_options: { include_usage: true } };
    expect((await post(running.proxy, own)).status).toBe(422);
    expect(running.bodies).toHaveLength(1);
  });

  test('is not asked twice for what it refuses for another reason', async () => {
    await using running = await startStrict({}, { loc: ['body', 'messages'] });
    const response = await post(running.proxy, streaming);
    expect([response.status, await response.json()]).toEqual([422, { detail: [{ loc: ['body', 'messages'] }] }]);
    expect(asked(running.bodies)).toEqual([true]);
  });

  test('is asked again where the request is refused without the question too', async () => {
    await using running = await start((response, body) => {
      const message = body.includes('stream_options') ? 'no stream_options' : 'no model m';
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    });
    const answers = [await post(running.proxy, streaming), await post(running.proxy, streaming)];
    for (const answer of answers) expect(await answer.json()).toEqual({ message: 'no model m' });
  });

  test.each([
    ['never', [false], 200],
    ['always', [true], 422],
  ] as const)('is asked as the proxy says: %s', async (usageFromStream, expected, status) => {
    await using running = await startStrict({ proxy: { usageFromStream } });
    expect((await post(running.proxy, streaming)).status).toBe(status);
    expect(asked(running.bodies)).toEqual(expected);
  });
});

describe('figures that cannot be', () => {
  const absurd = [1e308, -5, 2.5, 2 ** 60, 5_000_000_000];
  const content = 'six words in a short answer';

  test.each(absurd)('%p tokens of a whole answer are estimated instead', async (figure) => {
    const usage = { prompt_tokens: figure, completion_tokens: 3, total_tokens: 3 };
    const choices = [{ index: 0, message: { role: 'assistant', content } }];
    await using running = await start(json({ model: 'm', choices, usage }));
    await (await post(running.proxy, question)).text();
    await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the usage' });
    const { input_tokens: input, output_tokens: output, estimated } = usageOf(running.proxy) ?? {};
    expect(estimated).toBe(true);
    expect(input).toBeGreaterThan(2);
    expect(input).toBeLessThan(20);
    expect(output).toBeGreaterThan(2);
    expect(output).toBeLessThan(20);
  });

  test('so are those of a stream', async () => {
    const chunk = { model: 'm', choices: [{ index: 0, delta: { content } }] };
    const usage = { prompt_tokens: 4, completion_tokens: -1e300, total_tokens: 1e300 };
    await using running = await start(stream(events(chunk, { model: 'm', choices: [], usage }, '[DONE]')));
    await (await post(running.proxy, { ...question, stream: true })).text();
    await waitFor(() => usageOf(running.proxy) !== undefined, { what: 'the usage' });
    expect(usageOf(running.proxy)).toMatchObject({ estimated: true });
    expect(usageOf(running.proxy)?.total_tokens).toBeLessThan(40);
  });
});

describe('names of models that are as long as they like', () => {
  const long = 'm'.repeat(50_000);

  test('a request with one is refused, and no record has it, from a form either', async () => {
    await using running = await start(json({ model: 'm', choices: [], usage: told }));
    const refused = await post(running.proxy, { ...question, model: long });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: 'The name of the model must have at most 200 characters' },
    ]);
    const form = new FormData();
    form.set('model', long);
    const headers = { 'x-api-key': goodKey };
    const url = `${running.proxy.origin}/v1/audio/transcriptions`;
    await (await fetch(url, { method: 'POST', headers, body: form })).text();
    expect(running.proxy.spool.records).toHaveLength(3);
    expect(JSON.stringify(running.proxy.spool.records)).not.toContain('mmmm');
  });

  test('one that a target tells is cut', async () => {
    await using running = await start(json({ model: long, choices: [], usage: told }));
    await (await post(running.proxy, question)).text();
    expect(usageOf(running.proxy)?.model).toHaveLength(200);
  });
});

import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { Policy } from '@portcullis/core/policy/policy';
import { doorsPolicy } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

/** A number that is one of a card. */
const card = '4111111111111111';

const cards = (action: 'block' | 'redact'): Policy => ({
  ...doorsPolicy,
  rules: doorsPolicy.rules.map((rule) => ({ ...rule, action, patterns: [], detectors: ['payment-card'] })),
});
const doors = (action: 'block' | 'redact'): Policy => ({
  ...doorsPolicy,
  rules: doorsPolicy.rules.map((rule) => ({ ...rule, action })),
});

async function start(policy: Policy, answer: string | readonly object[] = '{}', options: Partial<StartOptions> = {}) {
  const bodies: string[] = [];
  const target = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      const type = typeof answer === 'string' ? 'application/json' : 'text/event-stream';
      const bytes =
        typeof answer === 'string' ? answer : answer.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
      response.writeHead(200, { 'content-type': type }).end(bytes);
    });
  });
  const proxy = await startProxy({ target: target.origin, policies: [policy], ...options });
  return {
    bodies,
    async send(body: string, path = '/v1/chat/completions') {
      const { hostname, port } = new URL(proxy.origin);
      const headers = { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
      const asked = openRequest({ hostname, port, path, method: 'POST', headers });
      asked.end(body);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      return { status: response.statusCode, text: await readText(response) };
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

const chat = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';

describe('a number', () => {
  test.each([card, `-${card}`, '4.111111111111111e15', `${card}.0`])('%s is read in a request', async (number) => {
    await using stage = await start(cards('block'));
    expect((await stage.send(`{"a":[{"b":${number}}]}`)).status).toBe(403);
    expect((await stage.send(`{"a":"${'x'.repeat(40_000)}","b":${number}}`)).status).toBe(403);
    expect(stage.bodies).toEqual([]);
  });

  test('of more digits than a double has is read as it was written', async () => {
    await using stage = await start(cards('block'));
    expect((await stage.send('{"a":6011000990139424123,"b":1732329624123456789}')).status).toBe(200);
    expect((await stage.send('{"a":4000000000000000006}')).status).toBe(403);
    await using hiding = await start(cards('redact'));
    expect((await hiding.send('{"a":4000000000000000006}')).status).toBe(400);
  });

  test('is hidden as a text, and comes back', async () => {
    await using stage = await start(cards('redact'), '{"n":"<PAYMENT_CARD_1>"}');
    const { text } = await stage.send(`{"a":{"card":${card}, "b":1}}`);
    expect(stage.bodies[0]).toMatch(/^\{"a":\{"card":"<\w+>", "b":1\}\}$/);
    expect(text).toContain('"n"');
    expect((await stage.send(`{"a":[${card}]}`)).status).toBe(400);
  });

  test('is read in an answer, whole and in events', async () => {
    const places = [
      `{"a":${card}}`,
      [{ choices: [{ index: 0, delta: { a: Number(card) } }] }],
      [{ a: [Number(card)] }],
    ];
    for (const answer of places) {
      await using stage = await start(cards('block'), answer);
      expect((await stage.send(chat)).text).not.toContain(card);
      await using hiding = await start(cards('redact'), answer);
      expect((await hiding.send(chat)).text).not.toContain(card);
    }
    await using hiding = await start(cards('redact'), `{"a":${card},"created":1732329624}`);
    expect((await hiding.send(chat)).text).toMatch(/^\{"a":"<\w+>","created":1732329624\}$/);
  });
});

const parts = (texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }));
const said = (content: unknown) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });

describe('a text in several parts', () => {
  test.each([
    ['chat', '/v1/chat/completions', said(parts(['Well, open', ' sesame and on']))],
    ['many pieces', '/v1/chat/completions', said(parts(['op', 'en', ' ', 'se', 'same']))],
    ['long parts', '/v1/messages', said(parts([`${'a '.repeat(3_000)}open`, ` sesame${' b'.repeat(3_000)}`]))],
    ['a long request', '/v1/messages', said(parts([`${'a '.repeat(30_000)}open`, ' sesame']))],
    [
      'a part between that has no text',
      '/v1/messages',
      said([...parts(['open']), { type: 'x' }, ...parts([' sesame'])]),
    ],
    ['a system prompt', '/v1/messages', JSON.stringify({ system: parts(['open', ' sesame']), messages: [] })],
    ['Gemini', '/v1/models/m:generateContent', '{"contents":[{"parts":[{"text":"open"},{"text":" sesame"}]}]}'],
    ['an unknown API', '/any', JSON.stringify({ a: parts(['open', ' sesame']) })],
  ])('is read as one: %s', async (_what, path, body) => {
    await using stage = await start(doors('block'));
    expect((await stage.send(body, path)).status).toBe(403);
    expect(stage.bodies).toEqual([]);
  });

  test('is hidden in each of them', async () => {
    await using stage = await start(doors('redact'));
    expect((await stage.send(said(parts(['open sesame, open', ' sesame and on'])))).status).toBe(200);
    const { messages } = JSON.parse(stage.bodies[0] ?? '') as { messages: [{ content: { text: string }[] }] };
    expect(messages[0].content.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^<\w+>, <\w+>$/),
      expect.stringMatching(/^<\w+> and on$/),
    ]);
  });

  test('does not leave in an answer', async () => {
    const blocks = (action: 'block' | 'redact') =>
      start(doors(action), JSON.stringify({ content: parts(['Well, open', ' sesame']) }));
    for (const action of ['block', 'redact'] as const) {
      await using stage = await blocks(action);
      expect((await stage.send(chat, '/v1/messages')).text).not.toContain('sesame');
    }
  });

  test('does not leave in blocks and parts of a stream', async () => {
    const block = (index: number, text: string) => [
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index },
    ];
    await using anthropic = await start(doors('block'), [...block(0, 'Well, open'), ...block(1, ' sesame and on')]);
    expect((await anthropic.send(chat, '/v1/messages')).text).not.toContain('sesame');
    const delta = (place: number, text: string) => ({
      type: 'response.output_text.delta',
      output_index: place,
      content_index: 0,
      delta: text,
    });
    await using responses = await start(doors('block'), [delta(0, 'Well, open'), delta(1, ' sesame and on')]);
    expect((await responses.send('{"input":"hi"}', '/v1/responses')).text).not.toContain('sesame');
  });

  test('is nothing where each part is harmless in itself and the ends make no word', async () => {
    await using stage = await start(doors('block'));
    expect((await stage.send(said(parts(['open', 'the door', 'sesame'])))).status).toBe(200);
  });
});

describe('a text as tokens', () => {
  const requests = [
    ['/v1/completions', '{"model":"m","prompt":[1,2,3]}'],
    ['/v1/completions', '{"model":"m","prompt":["a",[1,2,3]]}'],
  ] as const;

  test.each(requests)('goes nowhere where a policy enforces: %s %s', async (path, body) => {
    await using stage = await start(doors('block'));
    expect((await stage.send(body, path)).status).toBe(415);
    expect(stage.bodies).toEqual([]);
  });

  test('goes on to be embedded, since widespread libraries send nothing else', async () => {
    await using stage = await start(doors('block'));
    expect((await stage.send('{"model":"m","input":[[1,2],[3]]}', '/v1/embeddings')).status).toBe(200);
  });

  test.each(requests)('goes on where the proxy lets it: %s %s', async (path, body) => {
    await using stage = await start(doors('block'), '{}', { proxy: { passesUnread: true } });
    expect((await stage.send(body, path)).status).toBe(200);
  });
});

test.each([0, 1, 7, 8, 14, 31, 127, 128, 159, 0xfffc])('unit %d within a word is not seen', async (unit) => {
  const body = said(`open ses${String.fromCharCode(unit)}ame`);
  await using stage = await start(doors('block'));
  expect((await stage.send(body)).status).toBe(403);
  await using hiding = await start(doors('redact'));
  expect((await hiding.send(body)).status).toBe(200);
  expect(hiding.bodies[0]).not.toContain('ame');
  const pieces = ['open se', `s${String.fromCharCode(unit)}`, 'ame'];
  await using stream = await start(
    doors('block'),
    pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
  );
  expect((await stream.send(chat)).text).not.toContain('ame"');
});

describe('a key of an object', () => {
  const bodies = [`{"open sesame":1}`, `{"a":[{"open sesame":{"b":"c"}}]}`, said([{ 'open sesame': 'x' }])];

  test.each(bodies)('is read in a request however short: %s', async (body) => {
    await using stage = await start(doors('block'));
    expect((await stage.send(body)).status).toBe(403);
    await using hiding = await start(doors('redact'));
    expect((await hiding.send(body)).status).toBe(200);
    expect(hiding.bodies[0]).not.toContain('sesame');
  });
});

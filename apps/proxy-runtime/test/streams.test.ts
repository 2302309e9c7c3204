import { once } from 'node:events';
import { request as openRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fakeTimeouts } from '@portcullis/testkit/fake-timers';
import { waitFor } from '@portcullis/testkit/wait-for';
import { doorsPolicy } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

/** How a dialect streams a text, piece by piece. */
interface Wire {
  readonly path: string;
  readonly body: object;
  readonly type?: string;
  readonly head?: string;
  piece(text: string, index: number): string;
  /** What a stream ends with that the gateway breaks off. */
  readonly brokenOff: RegExp;
}

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const messages = [{ role: 'user', content: 'hi' }];
const candidate = (text: string) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] });
const plainError = /data: \{"error":\{"message":.*\}\n\n$/;

const wires: readonly (readonly [name: string, wire: Wire])[] = [
  [
    'OpenAI chat completions',
    {
      path: '/v1/chat/completions',
      body: { model: 'm', stream: true, messages },
      piece: (content) => event({ model: 'm', choices: [{ index: 0, delta: { content } }] }),
      brokenOff: plainError,
    },
  ],
  [
    'OpenAI completions',
    {
      path: '/v1/completions',
      body: { model: 'm', stream: true, prompt: 'hi' },
      piece: (text) => event({ model: 'm', choices: [{ index: 0, text }] }),
      brokenOff: plainError,
    },
  ],
  [
    'OpenAI responses',
    {
      path: '/v1/responses',
      body: { model: 'm', stream: true, input: 'hi' },
      piece: (delta, index) =>
        event({ type: 'response.output_text.delta', sequence_number: index, delta }, 'response.output_text.delta'),
      brokenOff: /event: error\ndata: \{"type":"error","sequence_number":\d+,.*\}\n\n$/,
    },
  ],
  [
    'Anthropic messages',
    {
      path: '/v1/messages',
      body: { model: 'm', stream: true, max_tokens: 9, messages },
      piece: (text) =>
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, 'content_block_delta'),
      brokenOff: /event: error\ndata: \{"type":"error","error":.*\}\n\n$/,
    },
  ],
  [
    'Gemini',
    {
      path: '/v1beta/models/m:streamGenerateContent?alt=sse',
      body: { contents: [{ parts: [{ text: 'hi' }] }] },
      piece: (text) => event(candidate(text)),
      brokenOff: /data: \{"error":\{"code":50\d,.*\}\r\n\r\n$/,
    },
  ],
  [
    'Gemini as a list',
    {
      path: '/v1beta/models/m:streamGenerateContent',
      body: { contents: [{ parts: [{ text: 'hi' }] }] },
      type: 'application/json',
      head: '[',
      piece: (text, index) => (index === 0 ? '' : ',\r\n') + JSON.stringify(candidate(text)),
      brokenOff: /,\r\n\{"error":\{"code":50\d,.*\}\r\n\]$/,
    },
  ],
  ['any JSON', { path: '/say', body: { text: 'hi' }, piece: (text) => event({ text }), brokenOff: plainError }],
];

test('an answer that has not begun when its port closes is refused', async () => {
  let isAsked = false;
  await using target = await listen(() => void (isAsked = true));
  await using proxy = await startProxy({
    target: target.origin,
    links: { breaker: { maxFailures: 1, restMs: 9_000 } },
  });
  const [, wire] = wires[0] ?? [];
  if (wire === undefined) throw new Error('no dialect');
  const asking = ask(proxy, wire);
  await waitFor(() => isAsked, { what: 'the target to be asked' });
  const closing = proxy.close(0);
  const answer = await asking;
  expect(answer.statusCode).toBe(503);
  expect(JSON.parse(await readText(answer))).toMatchObject({
    error: 'The proxy stopped before the answer was complete',
    error_code: 'SERVICE_UNAVAILABLE',
  });
  await closing;
  expect(lastLog(proxy)).toMatchObject({ denied_reason: 'proxy_stopped', status_code: 503 });
  expect(proxy.problems).toEqual([]);
});

test('a client that takes nothing of what it is told is cut', async () => {
  const [, wire] = wires[0] ?? [];
  if (wire === undefined) throw new Error('no dialect');
  await using target = await startTarget(wire, (response) => {
    const more = () => {
      while (!response.destroyed && response.write(wire.piece(pieceText, 0)));
    };
    response.on('drain', more);
    more();
  });
  await using proxy = await startProxy({ target: target.origin });
  const answer = await ask(proxy, wire);
  answer.on('error', () => undefined);
  await proxy.close(200);
  answer.destroy();
  expect(lastLog(proxy)).toMatchObject({ denied_reason: 'proxy_stopped' });
});

const startTarget = (wire: Wire, answer: (response: ServerResponse) => void) =>
  listen((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': wire.type ?? 'text/event-stream' });
      if (wire.head !== undefined) response.write(wire.head);
      answer(response);
    });
  });

/** Asks for a stream; answers it as it comes, unread. */
async function ask(proxy: RunningProxy, { path, body }: Wire): Promise<IncomingMessage> {
  const { hostname, port } = new URL(proxy.origin);
  const headers = { 'content-type': 'application/json', 'x-api-key': goodKey };
  const asked = openRequest({ hostname, port, path, method: 'POST', headers });
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

afterEach(() => {
  jest.useRealTimers();
});

const lastLog = (proxy: RunningProxy) => proxy.spool.records.findLast((record) => record.kind === 'request_log');

const pieceText = 'all is well '.repeat(4_000);
const pieces = 450;
/** What the buffers of two connections may hold, and what is on its way through. */
const maxOnTheWay = 16_000_000;

const paths = [
  ['scanned', { policies: [doorsPolicy] }],
  ['not scanned', {}],
] as const;

describe.each(wires)('a stream of %s', (_, wire) => {
  test.each(paths)('waits for its reader (%s)', async (_path, options) => {
    let written = 0;
    let next = 0;
    let waits: ServerResponse | undefined;
    await using target = await startTarget(wire, (response) => {
      const write = (): void => {
        while (next < pieces) {
          const piece = wire.piece(pieceText, next);
          next += 1;
          written += piece.length;
          if (!response.write(piece)) return;
        }
        response.end();
      };
      waits = response.on('drain', write);
      write();
    });
    await using proxy = await startProxy({ target: target.origin, ...options });
    const answer = await ask(proxy, wire);
    const seen: number[] = [];
    await waitFor(
      () => {
        seen.push(written);
        return waits?.writableNeedDrain === true && seen.at(-10) === written;
      },
      { what: 'the target to be held back' },
    );
    expect(written).toBeLessThan(maxOnTheWay);
    const text = await readText(answer);
    expect(next).toBe(pieces);
    expect(text).toHaveLength(written + (wire.head ?? '').length);
  });

  test('may pause for so long', async () => {
    await using target = await startTarget(wire, (response) => void response.write(wire.piece('begun', 0)));
    const timeouts = { connectMs: null, headersMs: null, idleMs: 100 };
    const policies = [doorsPolicy];
    await using proxy = await startProxy({ target: target.origin, targetEntry: { timeouts }, policies });
    const text = await readText(await ask(proxy, wire));
    expect(text).toContain('begun');
    expect(text).toMatch(wire.brokenOff);
    expect(lastLog(proxy)).toMatchObject({ denied_reason: 'target_timeout', status_code: 200 });
  });

  test.each(paths)('is told so when its port closes before it is complete (%s)', async (_path, options) => {
    let isOpen = true;
    await using target = await startTarget(wire, (response) => {
      response.write(wire.piece('begun', 0));
      response.on('close', () => (isOpen = false));
    });
    await using proxy = await startProxy({ target: target.origin, ...options });
    const answer = await ask(proxy, wire);
    const text = readText(answer);
    await proxy.close(20);
    expect(await text).toContain('begun');
    expect(await text).toMatch(wire.brokenOff);
    expect(await text).toContain('The proxy stopped before the answer was complete');
    await waitFor(() => !isOpen, { what: 'the call to the target to end' });
    expect(lastLog(proxy)).toMatchObject({ denied_reason: 'proxy_stopped', denied_stage: 'forward', status_code: 200 });
    expect(lastLog(proxy)).not.toHaveProperty('target_problem', expect.any(String));
    expect(proxy.problems).toEqual([]);
  });

  test.each(paths)('may take so long as a whole (%s)', async (_path, options) => {
    fakeTimeouts();
    await using target = await startTarget(wire, (response) => {
      let index = 0;
      const more = setInterval(() => response.write(wire.piece('more', index++)), 5);
      response.on('close', () => clearInterval(more));
    });
    const timeouts = { connectMs: null, headersMs: null, idleMs: null, totalMs: 60_000 };
    await using proxy = await startProxy({ target: target.origin, targetEntry: { timeouts }, ...options });
    const answer = await ask(proxy, wire);
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await waitFor(() => text.includes('more'), { what: 'the first piece' });
    const ended = once(answer, 'end');
    jest.advanceTimersByTime(60_000);
    await ended;
    expect(text).toMatch(wire.brokenOff);
    expect(lastLog(proxy)).toMatchObject({
      denied_reason: 'target_timeout',
      target_problem: 'its answer took too long',
    });
  });
});

import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

/** A proxy in front of a target that answers everything with these bytes, in the pieces in which they are given. */
async function start(
  type: string | undefined,
  pieces: readonly (string | Buffer)[],
  options: Partial<StartOptions> = {},
) {
  const target = await listen((request, response) => {
    request.resume().on('end', () => void answer(response, type, pieces));
  });
  const proxy = await startProxy({ target: target.origin, policies: [doorsPolicy], ...options });
  return {
    proxy,
    async ask(path = '/api/chat', body: object = { model: 'm', messages: [] }) {
      const headers = { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(proxy.origin + path, init);
      const bytes = Buffer.from(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
      return { status: response.status, bytes, text: bytes.toString('utf8') };
    },
    denied: () => proxy.spool.records.find((record) => record.kind === 'request_log')?.denied_reason,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

async function answer(response: ServerResponse, type: string | undefined, pieces: readonly (string | Buffer)[]) {
  response.writeHead(200, type === undefined ? {} : { 'content-type': type });
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => void setTimeout(resolve, 2));
  }
  response.end();
}

const say = (content: string): object => ({ model: 'm', message: { role: 'assistant', content }, done: false });
/** A text in pieces that tell nothing alone, a value for each. */
const inPieces = (text: string): readonly object[] => (text.match(/.{1,5}/gs) ?? []).map(say);
const secret = inPieces(`Well, ${forbidden} and on`);
const harmless = inPieces('Well, good morning and on');
const lines = (values: readonly object[], end = '\n') => values.map((value) => JSON.stringify(value) + end);
const events = (values: readonly object[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`);

describe('an answer framed by lines', () => {
  test.each([
    'application/x-ndjson',
    'application/ndjson',
    'Application/NDJSON; charset=utf-8',
    'application/jsonl',
    'application/x-jsonlines',
    'application/json-lines',
    'application/stream+json',
    'application/json-seq',
    'application/vnd.example+ndjson',
    'text/x-ndjson',
    'application/json',
    'text/json',
    'text/plain',
    'application/octet-stream',
    'image/png',
    'application/x-unheard-of',
    undefined,
  ])('as %s is read across its lines', async (type) => {
    await using stage = await start(type, lines(secret));
    const { text } = await stage.ask();
    expect(text).not.toContain('same');
    expect(stage.denied()).toBe('policy_violation_response');
  });

  test.each([
    ['carriage returns', lines(secret, '\r')],
    ['nothing', lines(secret, '')],
    ['record separators', lines(secret).map((line) => `\u001e${line}`)],
    ['a byte order mark in front', ['\uFEFF', ...lines(secret)]],
    ['lines cut anywhere', lines(secret).join('').split('')],
    ['all in one piece', [lines(secret).join('')]],
    ['lines of another kind between', lines(secret).map((line) => `ok\n${line}`)],
  ])('with %s between them', async (_what, pieces) => {
    await using stage = await start('application/x-ndjson', pieces);
    expect((await stage.ask()).text).not.toContain('same');
    expect(stage.denied()).toBe('policy_violation_response');
  });

  test.each(['application/x-ndjson', 'application/ndjson', 'text/plain', undefined])(
    'that is harmless comes byte for byte, line by line (%s)',
    async (type) => {
      const pieces = ['\uFEFF \n', ...lines(harmless), 'not JSON\r\n', '[1, 2]', '  \n{"open": '];
      await using stage = await start(type, pieces);
      expect((await stage.ask()).bytes.equals(Buffer.from(pieces.join('')))).toBe(true);
    },
  );

  test('ends in a line that says why', async () => {
    await using stage = await start('application/x-ndjson', lines([say('Hello'), say(' there'), ...secret]));
    const { text } = await stage.ask();
    const told = text.trimEnd().split('\n');
    expect(told[0]).toBe(JSON.stringify(say('Hello')));
    expect(JSON.parse(told.at(-1) ?? '')).toMatchObject({
      error: 'Request blocked by security policy',
      code: 'policy_violation',
    });
  });

  test('has what is to be hidden replaced across lines', async () => {
    const rules = doorsPolicy.rules.map((rule) => ({ ...rule, action: 'redact' as const }));
    await using stage = await start('application/x-ndjson', lines(secret), { policies: [{ ...doorsPolicy, rules }] });
    const { text } = await stage.ask();
    const told = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: { content: string } }).message.content);
    expect(told.join('')).toMatch(/^Well, <DOOR_1_1> and on$/);
  });
});

describe('events without their content type', () => {
  test.each(['application/json', 'text/plain', 'application/octet-stream', undefined])('as %s', async (type) => {
    await using stage = await start(type, events(secret));
    expect((await stage.ask()).text).not.toContain('same');
    expect(stage.denied()).toBe('policy_violation_response');
  });

  test.each(['text/plain', 'text/csv', 'image/png', undefined])(
    'behind a line that clients skip, where a known dialect was asked for a stream (%s)',
    async (type) => {
      const said = `Well, ${forbidden} and on`.match(/.{1,5}/gs) ?? [];
      const chat = said.map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
      const gemini = said.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] }));
      for (const [path, deltas, body] of [
        ['/v1/chat/completions', chat, { stream: true, messages: [] }],
        ['/v1/models/m:streamGenerateContent?alt=sse', gemini, { contents: [] }],
      ] as const) {
        await using stage = await start(type, ['anything\n\n', ...events(deltas)]);
        expect((await stage.ask(path, body)).text).not.toContain('same');
        expect(stage.denied()).toBe('policy_violation_response');
      }
    },
  );
});

const utf16 = Buffer.from(JSON.stringify(say(forbidden)), 'utf16le');
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0xe2, 0xe3, 0xcf, 0xd3, 0, 1, 2, 255])]);

describe('what cannot be read', () => {
  test.each([
    ['text in UTF-16', 'application/json; charset=utf-16le', utf16],
    ['text in UTF-16 with its mark', 'text/plain', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['bytes of no known type', 'application/x-unheard-of', pdf],
    ['bytes without a type', undefined, pdf],
    ['JSON that is none', 'application/json', Buffer.from('{"a": NaN, "b": [1,]} and more')],
  ])('does not leave where a policy enforces: %s', async (_what, type, bytes) => {
    await using stage = await start(type, [bytes]);
    expect(await stage.ask()).toMatchObject({ status: 502, text: expect.stringContaining('cannot be read') });
    expect(stage.denied()).toBe('unreadable_answer');
  });

  test.each<[string, Partial<StartOptions>]>([
    ['the proxy lets it pass', { proxy: { passesUnread: true } }],
    ['policies are only tried out', { shadow: [doorsPolicy.name] }],
  ])('leaves where %s', async (_what, options) => {
    await using stage = await start(undefined, [pdf], options);
    expect((await stage.ask()).bytes.equals(pdf)).toBe(true);
  });

  test.each(['application/pdf', 'application/octet-stream', 'audio/mpeg', 'image/png'])(
    'is a file: %s',
    async (type) => {
      await using stage = await start(type, [pdf]);
      expect((await stage.ask()).bytes.equals(pdf)).toBe(true);
    },
  );
});

test.each([
  ['speech', '/v1/audio/speech', 'audio/mpeg', Buffer.alloc(2_000, 0xf1)],
  ['speech of a known dialect', '/v1/responses', 'audio/mpeg', Buffer.alloc(2_000, 0xf1)],
  ['plain text of an unknown API', '/say', 'text/plain', Buffer.from('good morning '.repeat(20))],
])('%s that was asked for as a stream is not held', async (_what, path, type, piece) => {
  let answering: ServerResponse | undefined;
  await using target = await listen((request, response) => {
    request.resume().on('end', () => {
      answering = response.writeHead(200, { 'content-type': type });
      response.write(piece);
    });
  });
  await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
  const headers = { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ stream: true, input: 'hi' });
  const response = await fetch(proxy.origin + path, { method: 'POST', headers, body });
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes === piece.length) answering?.end();
  }
  expect(bytes).toBe(piece.length);
});

describe('headers that stand twice', () => {
  test.each([
    ['content-type', ['application/json', 'text/event-stream'], 200],
    ['content-type', ['text/event-stream', 'application/json'], 200],
    ['content-encoding', ['identity', 'gzip'], 502],
    ['mcp-session-id', ['a', 'b'], 200],
  ] as const)('of %s %j are one', async (name, values, status) => {
    const body = '{"text":"good morning"}';
    await using target = await listen((request, response) => {
      request.resume().on('end', () => {
        response.setHeader(name, [...values]);
        response.end(body);
      });
    });
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const response = await fetch(proxy.origin, { headers: { authorization: `Bearer ${goodKey}` } });
    expect(response.status).toBe(status);
    if (status !== 200) return;
    expect(response.headers.get(name)).toBe(values[0]);
    expect(await response.text()).toBe(body);
    expect(proxy.problems).toEqual([]);
  });
});

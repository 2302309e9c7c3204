import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

const codings = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const;

const send = (proxy: RunningProxy, body: Buffer, encoding: string) =>
  fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json', 'content-encoding': encoding },
    body: new Uint8Array(body),
  });

const ask = (proxy: RunningProxy) =>
  fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
    body: '{"model":"m"}',
  });

const chatBody = (content: string) =>
  Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));

async function startEcho() {
  const seen: { encoding: string | undefined; length: string | undefined; body: string }[] = [];
  const peer = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'content-encoding': encoding, 'content-length': length } = request.headers;
      seen.push({ encoding, length, body: Buffer.concat(chunks).toString() });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  return { ...peer, seen };
}

describe('a compressed request', () => {
  test.each(codings)('in %s is read, judged, and goes on as what it holds', async (encoding, compress) => {
    await using target = await startEcho();
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const body = chatBody('hello');
    expect((await send(proxy, compress(body), encoding)).status).toBe(200);
    expect(target.seen).toEqual([{ encoding: undefined, length: String(body.length), body: body.toString() }]);
    expect((await send(proxy, compress(chatBody(forbidden)), encoding)).status).toBe(403);
    expect(target.seen).toHaveLength(1);
  });

  test.each(codings)('in %s that holds more than allowed is refused', async (encoding, compress) => {
    await using target = await startEcho();
    await using proxy = await startProxy({ target: target.origin, maxBodyBytes: 100_000 });
    const bomb = compress(Buffer.alloc(20_000_000, 'a'));
    expect((await send(proxy, bomb, encoding)).status).toBe(413);
    expect(target.seen).toEqual([]);
  });
});

/** Answers compressed, regardless of what was asked for. */
const answering =
  (type: string, encoding: string, body: Buffer) => (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    response
      .writeHead(200, { 'content-type': type, 'content-encoding': encoding, 'content-length': body.length })
      .end(body);
  };

describe('a compressed answer that was not asked for', () => {
  test.each(codings)('in %s is judged, metered, and leaves as what it holds', async (encoding, compress) => {
    const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
    const text = JSON.stringify({ model: 'm', choices: [{ message: { content: 'hi' } }], usage });
    await using target = await listen(answering('application/json', encoding, compress(Buffer.from(text))));
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const answer = await ask(proxy);
    expect([answer.status, answer.headers.get('content-encoding'), await answer.text()]).toEqual([200, null, text]);
    expect(proxy.spool.records.find(({ kind }) => kind === 'usage')).toMatchObject({ total_tokens: 12 });

    await using bad = await listen(answering('text/plain', encoding, compress(Buffer.from(`so: ${forbidden}!`))));
    await using guarded = await startProxy({ target: bad.origin, policies: [doorsPolicy] });
    expect((await ask(guarded)).status).toBe(403);
  });

  test('comes event by event where it is a stream', async () => {
    const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
    let more: (() => void) | undefined;
    await using target = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const zip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      zip.pipe(response);
      zip.write(event('a'));
      more = () => zip.end('data: [DONE]\n\n');
    });
    await using proxy = await startProxy({ target: target.origin });
    const reader = (await ask(proxy)).body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(event('a'));
    more?.();
    const last = await reader?.read();
    expect(Buffer.from(last?.value ?? []).toString()).toBe('data: [DONE]\n\n');
  });

  test('that unpacks without end is broken off', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
    await using target = await listen(answering('text/plain', 'gzip', bomb));
    await using proxy = await startProxy({ target: target.origin, maxInspectedBytes: 100_000 });
    await expect(ask(proxy).then((answer) => answer.text())).rejects.toThrow('terminated');
    expect(proxy.problems).toEqual(['target: the answer unpacks without end']);
  });

  test('in a coding that is not known here is refused; a HEAD tells of it as it is', async () => {
    await using target = await listen(answering('text/plain', 'compress', Buffer.from('zip')));
    await using proxy = await startProxy({ target: target.origin });
    expect((await ask(proxy)).status).toBe(502);
    await using zipped = await listen(answering('text/plain', 'gzip', gzipSync('hello')));
    await using other = await startProxy({ target: zipped.origin });
    const head = await fetch(`${other.origin}/v1/models`, { method: 'HEAD', headers: { 'x-api-key': goodKey } });
    expect([head.status, head.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  });
});

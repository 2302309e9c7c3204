import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { sampleBytes } from '@portcullis/testkit/sample-bytes';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

/** As an MP3 begins. */
const head = Buffer.from([0xff, 0xfb, 0x90, 0x64]);
const sound = Buffer.concat([head, sampleBytes(300_000)]);

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** An API of any kind, which answers a file, behind a proxy with a policy. */
async function start(options: Partial<StartOptions> = {}, file: Buffer | string = sound, fileType = 'audio/mpeg') {
  const seen: Seen[] = [];
  const target = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, type: headers['content-type'], body: Buffer.concat(chunks) });
      response.writeHead(200, { 'content-type': fileType, allow: 'GET, POST' });
      response.end(method === 'HEAD' ? undefined : file);
    });
  });
  const proxy = await startProxy({
    target: target.origin,
    policies: [doorsPolicy],
    maxBodyBytes: 1_000_000,
    ...options,
  });
  return {
    seen,
    proxy,
    send(path: string, init: RequestInit = {}, key = goodKey) {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${key}`);
      return fetch(proxy.origin + path, { ...init, headers });
    },
    logs: () => proxy.spool.records.filter(({ kind }) => kind === 'request_log'),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

const form = (prompt: string): FormData => {
  const fields = new FormData();
  fields.append('model', 'gpt-4o-transcribe');
  fields.append('prompt', prompt);
  fields.append('file', new Blob([sound], { type: 'audio/mpeg' }), 'speech.mp3');
  return fields;
};

describe('an API that the gateway does not know', () => {
  test('gets a form with a file byte for byte, and its answer comes back so', async () => {
    await using running = await start();
    const body = Buffer.from(await new Response(form('weather')).arrayBuffer());
    const sent = new Response(form('weather'));
    const type = sent.headers.get('content-type') ?? '';
    const whole = Buffer.from(await sent.arrayBuffer());
    expect(whole).toHaveLength(body.length);
    const answer = await running.send('/v1/audio/transcriptions?x=1', {
      method: 'POST',
      headers: { 'content-type': type },
      body: whole,
    });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound)).toBe(true);
    expect(running.seen).toMatchObject([{ method: 'POST', url: '/v1/audio/transcriptions?x=1', type }]);
    expect(running.seen[0]?.body.equals(whole)).toBe(true);
    expect(running.logs()).toMatchObject([{ status_code: 200, path: '/v1/audio/transcriptions', api_key_id: 1 }]);
    expect(running.proxy.problems).toEqual([]);
  });

  test('does not get a form with a forbidden text in a field', async () => {
    await using running = await start();
    const answer = await running.send('/v1/audio/transcriptions', { method: 'POST', body: form(forbidden) });
    expect(answer.status).toBe(403);
    expect(running.seen).toEqual([]);
  });

  test('gets raw bytes as they are', async () => {
    await using running = await start();
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await running.send('/v1/uploads/u1/parts', { method: 'PUT', headers, body: sound })).status).toBe(200);
    expect(running.seen[0]?.body.equals(sound)).toBe(true);
  });

  test.each(['{', '[', ' {', '{\u0001"'])('gets samples of sound that begin with %j as they are', async (beginning) => {
    const samples = Buffer.concat([Buffer.from(beginning), Buffer.alloc(8), sampleBytes(100_000)]);
    await using running = await start({}, samples);
    const answer = await running.send('/v1/audio/speech', { method: 'POST', body: 'x' });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(samples)).toBe(true);
  });

  test.each([
    ['records', (json: string) => `\u001E${json}\n\u001E${json}\n`],
    ['ends of text', (json: string) => `${json}\u0000${json}`],
    ['blanks', (json: string) => `  \n${json}`],
  ])('hides no JSON behind %s in a file', async (_, render) => {
    const body = render(JSON.stringify({ said: 'x'.repeat(80), after: forbidden }));
    await using running = await start({}, body, 'application/octet-stream');
    const answer = await running.send('/v1/files/f1/content');
    expect([answer.status, (await answer.text()).includes(forbidden)]).not.toEqual([200, true]);
  });

  test.each(['application/octet-stream', 'audio/mpeg'])('is inspected where JSON is called %s', async (type) => {
    for (const said of [{ said: forbidden }, { said: 'x'.repeat(200), after: forbidden }]) {
      await using running = await start({}, JSON.stringify(said), type);
      expect((await running.send('/v1/files/f1/content')).status).toBe(403);
    }
  });

  test.each([
    ['GET', '/v1/models'],
    ['DELETE', '/v1/files/f1'],
    ['OPTIONS', '/v1/chat/completions'],
    ['PATCH', '/v1/anything'],
  ])('gets a %s as it is', async (method, path) => {
    await using running = await start();
    const answer = await running.send(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([200, 'GET, POST']);
    expect(running.seen).toMatchObject([{ method, url: path }]);
  });

  test('answers a HEAD without a body', async () => {
    await using running = await start();
    const answer = await running.send('/v1/files/f1/content', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
  });

  test('is behind the key, the limit of its rate and the bound of its bodies like any other', async () => {
    await using running = await start({ rateLimit: 2, buckets: createInProcessBuckets(), maxBodyBytes: 1_000 });
    const statuses = [
      await running.send('/v1/audio/speech', { method: 'POST', body: 'x' }, 'gw_nobody'),
      await running.send('/v1/audio/speech', { method: 'OPTIONS' }, 'gw_nobody'),
      await running.send('/v1/audio/speech', { method: 'POST', body: sound }),
      await running.send('/v1/audio/speech', { method: 'POST', body: 'x' }),
      await running.send('/v1/audio/speech', { method: 'POST', body: 'x' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 413, 200, 429]);
    // Refusals of one kind and address are one entry.
    expect(running.logs()).toHaveLength(4);
  });

  test('is not asked where a client wants a socket, which is told to go on with HTTP', async () => {
    await using running = await start();
    const { hostname, port } = new URL(running.proxy.origin);
    const headers = {
      authorization: `Bearer ${goodKey}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    };
    const asked = openRequest({ hostname, port, path: '/v1/realtime?model=gpt-realtime', headers });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(426);
    expect(running.seen).toEqual([]);
  });
});

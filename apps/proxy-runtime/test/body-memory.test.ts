import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { gzipSync } from 'node:zlib';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { goodKey, startProxy, type RunningProxy } from './start-proxy.ts';

const roomBytes = 1_000_000;
const start = (target: string, bodyMemory: FairShare) => startProxy({ target, maxBodyBytes: 600_000, bodyMemory });
const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: ' '.repeat(300_000) }] });

const ask = (proxy: RunningProxy, sent: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': goodKey, ...headers },
    body: sent,
  });

/** Sends all of a body but its end. */
async function hold(proxy: RunningProxy): Promise<Socket> {
  const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-api-key: ${goodKey}\r\ncontent-type: application/json`;
  socket.write(`${head}\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`);
  return socket;
}

describe('memory for large bodies', () => {
  test('is not taken whole by a key that sends many without an end, and is given back when they are gone', async () => {
    await using target = await startLlmPeer();
    const room = new FairShare(roomBytes);
    await using proxy = await start(target.url, room);
    const sockets = [await hold(proxy), await hold(proxy), await hold(proxy)];
    const refused = await waitFor(
      async () => {
        const response = await ask(proxy, body);
        return response.status === 503 && response;
      },
      { what: 'the refusal of one more' },
    );
    expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      '1',
      { error_code: 'SERVICE_UNAVAILABLE', message: 'Too many large bodies are under way' },
    ]);
    // What is small, and what other keys send, has its place.
    expect((await ask(proxy, '{"model":"m","messages":[{"role":"user","content":"hi"}]}')).status).toBe(200);
    expect(room.take(99, roomBytes / 10)).toBe(true);

    for (const socket of sockets) socket.destroy();
    await waitFor(async () => (await ask(proxy, body)).status === 200, { what: 'room for large bodies' });
    room.give(99, roomBytes / 10);
    await waitFor(() => room.take(99, roomBytes), { what: 'all room to be given back' });
  });

  test('counts what comes out of a compressed body', async () => {
    await using target = await startLlmPeer();
    const room = new FairShare(roomBytes);
    await using proxy = await start(target.url, room);
    room.take(99, roomBytes - 200_000);
    const compressed = gzipSync(body);
    expect(compressed.length).toBeLessThan(65_536);
    expect((await ask(proxy, compressed, { 'content-encoding': 'gzip' })).status).toBe(503);
    room.give(99, roomBytes - 200_000);
    expect((await ask(proxy, compressed, { 'content-encoding': 'gzip' })).status).toBe(200);
  });
});

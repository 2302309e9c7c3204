import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { goodKey, startProxy } from './start-proxy.ts';
import { listRequest, send, startToolTarget } from './tool-target.ts';

const json = { 'content-type': 'application/json' };
const message = { ...listRequest, id: 'seven' };

describe('a message that is refused before it is read', () => {
  test('is answered with its id: 401, 403 and 429', async () => {
    await using target = await startToolTarget(() => '{"jsonrpc":"2.0","id":1,"result":{}}');
    const buckets = createInProcessBuckets({ nowUs: () => 0 });
    await using proxy = await startProxy({ target: target.origin, rateLimit: 1, buckets, proxy: { type: 'mcp' } });
    const ask = async (headers: Readonly<Record<string, string>>, body: unknown = message) => {
      const response = await send(proxy, body, { headers: { ...json, ...headers } });
      return [response.status, ((await response.json()) as { readonly id: unknown }).id];
    };
    expect(await ask({})).toEqual([401, 'seven']);
    expect(await ask({ 'x-api-key': 'gw_other_group' })).toEqual([403, 'seven']);
    expect(await ask({ 'x-api-key': goodKey })).toEqual([200, 1]);
    expect(await ask({ 'x-api-key': goodKey })).toEqual([429, 'seven']);
    expect(await ask({}, [message, message])).toEqual([401, null]);
    expect(await ask({}, 'no JSON')).toEqual([401, null]);
    expect(await ask({}, { ...message, params: 'x'.repeat(20_000) })).toEqual([401, null]);
    expect(await ask({}, { ...message, id: 'x'.repeat(1_001) })).toEqual([401, null]);
  });

  test('is refused all the same when its body does not come', async () => {
    await using target = await startToolTarget(() => '{}');
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
    const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
    socket.write('POST /mcp HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 90\r\n\r\n{"id":');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('"id":null');
  });
});

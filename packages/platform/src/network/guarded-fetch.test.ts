import { answer, startLoopbackPeer, type Peer } from '@portcullis/testkit/loopback-peer';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGuardedFetch, type GuardedFetchLimits } from './guarded-fetch.ts';

const limits = { timeoutMs: 60_000, maxAnswerBytes: 100 };

describe('createGuardedFetch', () => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await startLoopbackPeer((request, response) => {
      if (request.path === '/silent') return;
      if (request.path === '/moved') return answer(response, 302, '', { location: '/' });
      if (request.path === '/nothing') return void response.writeHead(204).end();
      answer(
        response,
        200,
        request.path === '/long' ? 'x'.repeat(101) : { method: request.method, body: request.body },
      );
    });
  });
  afterAll(() => peer.down());

  const get = async (
    path: string,
    { allowPrivate = true, ...other }: { allowPrivate?: boolean } & Partial<GuardedFetchLimits> = {},
  ) => {
    await using guarded = createGuardedFetch({ allowPrivate }, { ...limits, ...other });
    return await guarded.fetch(`${peer.url}${path}`, { method: 'GET', headers: {} });
  };

  test('sends forms and answers as fetch does', async () => {
    await using guarded = createGuardedFetch({ allowPrivate: true }, limits);
    const body = new URLSearchParams({ a: 'b c' });
    const response = await guarded.fetch(peer.url, { method: 'POST', headers: {}, body });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toEqual({ method: 'POST', body: 'a=b+c' });
  });

  test('follows no redirect, and knows answers without a body', async () => {
    expect((await get('/moved')).status).toBe(302);
    expect((await get('/nothing')).status).toBe(204);
  });

  test('goes only where it may', async () => {
    const before = peer.requests.length;
    await expect(get('/', { allowPrivate: false })).rejects.toThrow('must not point to this machine');
    expect(peer.requests.length).toBe(before);
  });

  test('ends what is too long or takes too long', async () => {
    await expect(get('/long')).rejects.toThrow('longer than 100 bytes');
    await expect(get('/silent', { timeoutMs: 50 })).rejects.toThrow(/aborted|timeout/i);
  });
});

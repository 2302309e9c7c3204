import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { startChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Secret } from '@portcullis/platform/config/secret';
import { refused } from './delivery-outcome.ts';
import { createHttpSender, type HttpSenderOptions } from './http-sender.ts';

async function send(url: string, options: Partial<HttpSenderOptions> = {}, signal = new AbortController().signal) {
  await using sender = createHttpSender({ allowPrivate: true, ...options });
  return await sender.post(
    { name: 'chat', url: new Secret(url), headers: { 'content-type': 'application/json' }, body: '{"text":"hello"}' },
    signal,
  );
}

describe('createHttpSender', () => {
  test('posts the body with its headers', async () => {
    await using peer = await startChatWebhookPeer();
    expect(await send(peer.webhookUrl)).toEqual({ kind: 'delivered', status: 200 });
    expect(peer.posts).toEqual([{ text: 'hello' }]);
    expect(peer.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'portcullis' });
  });

  test.each([
    [
      429,
      { 'retry-after': '3' },
      { kind: 'failed', status: 429, reason: 'The chat answered 429', retryAfterMs: 3_000 },
    ],
    [
      429,
      { 'retry-after': '0.65' },
      { kind: 'failed', status: 429, reason: 'The chat answered 429', retryAfterMs: 650 },
    ],
    [
      503,
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
      { kind: 'failed', status: 503, reason: 'The chat answered 503', retryAfterMs: 0 },
    ],
    [503, { 'retry-after': 'soon' }, { kind: 'failed', status: 503, reason: 'The chat answered 503' }],
    [408, {}, { kind: 'failed', status: 408, reason: 'The chat answered 408' }],
    [400, {}, { kind: 'refused', status: 400, reason: 'The chat answered 400' }],
    [410, {}, { kind: 'refused', status: 410, reason: 'The chat answered 410' }],
    [302, { location: 'http://127.0.0.1:1/' }, { kind: 'refused', status: 302, reason: 'The chat answered 302' }],
  ])('tells what %s with %j means', async (status, headers, outcome) => {
    await using peer = await startLoopbackPeer((_request, response) =>
      answer(response, status, 'a long text', headers),
    );
    expect(await send(peer.url)).toEqual(outcome);
  });

  test('repeats an error word of the chat, and nothing that could quote the URL', async () => {
    await using peer = await startChatWebhookPeer();
    peer.failNext(1, { status: 403, body: 'invalid_token' });
    expect(await send(peer.webhookUrl)).toMatchObject({
      reason: 'The chat answered 403 (invalid_token): the credentials do not allow this',
    });
    peer.failNext(1, { status: 404, body: `Cannot POST ${peer.webhookUrl}` });
    expect(await send(peer.webhookUrl)).toMatchObject({
      reason: 'The chat answered 404: there is nothing at this address',
    });
  });

  test('takes a success back whose body tells of an error', async () => {
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, '{"errors":true}'));
    await using sender = createHttpSender({ allowPrivate: true });
    const findError = (body: string) => (body.includes('true') ? refused(200, 'The index is closed') : undefined);
    const post = { name: 'index', url: new Secret(peer.url), headers: {}, body: '', findError };
    expect(await sender.post(post, new AbortController().signal)).toEqual({
      kind: 'refused',
      status: 200,
      reason: 'The index is closed',
    });
  });

  test('gives up on a silent chat, on a chat that is down, and when told to', async () => {
    await using peer = await startChatWebhookPeer();
    peer.hang(true);
    expect(await send(peer.webhookUrl, { timeoutMs: 50 })).toMatchObject({
      kind: 'failed',
      status: null,
      reason: 'The chat did not answer within 50 ms',
    });

    const before = peer.requests.length;
    const stop = new AbortController();
    const sending = send(peer.webhookUrl, {}, stop.signal);
    await waitFor(() => peer.requests.length > before, { what: 'the post to arrive' });
    stop.abort();
    expect(await sending).toMatchObject({ kind: 'failed', status: null });

    await peer.down();
    const outcome = await send(peer.webhookUrl);
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('ECONNREFUSED') });
    expect(JSON.stringify(outcome)).not.toContain('peer-secret');
  });

  test('stops reading an endless answer', async () => {
    await using peer = await startLoopbackPeer((_request, response) => {
      const endless = new Readable({ read: () => void endless.push('x'.repeat(10_000)) });
      endless.pipe(response);
    });
    expect(await send(peer.url)).toEqual({ kind: 'delivered', status: 200 });
    await waitFor(() => peer.requests[0]?.outcome === 'broken-off', { what: 'the connection to be closed' });
  });

  test.each([
    ['http://169.254.169.254/peer-secret', true, /metadata/],
    ['http://127.0.0.1:1/peer-secret', false, /this machine/],
    ['ftp://chat.example/peer-secret', true, /must start with http/],
  ])('refuses %s with private addresses allowed: %s', async (url, allowPrivate, reason) => {
    const outcome = await send(url, { allowPrivate });
    expect(outcome).toMatchObject({ kind: 'refused', status: null, reason: expect.stringMatching(reason) });
    expect(JSON.stringify(outcome)).not.toContain('peer-secret');
  });
});

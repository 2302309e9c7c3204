import { expect, test } from '@jest/globals';
import { startChatWebhookPeer } from './chat-webhook-peer.ts';

const post = (url: string, body: unknown, signal?: AbortSignal) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });

test('records what it accepts, and fails as often as told', async () => {
  await using peer = await startChatWebhookPeer();
  peer.failNext(2, { status: 503, headers: { 'retry-after': '1' } });
  expect((await post(peer.webhookUrl, { text: 'a' })).headers.get('retry-after')).toBe('1');
  expect((await post(peer.webhookUrl, { text: 'b' })).status).toBe(503);
  expect(await (await post(peer.webhookUrl, { text: 'c' })).text()).toBe('ok');
  expect((await post(`${peer.url}/services/wrong`, { text: 'd' })).status).toBe(404);
  expect(peer.posts).toEqual([{ text: 'c' }]);
  expect(peer.requests).toHaveLength(4);
});

test('hangs, goes down, and comes up again on its port', async () => {
  await using peer = await startChatWebhookPeer();
  peer.hang(true);
  await expect(post(peer.webhookUrl, { text: 'a' }, AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
  peer.hang(false);
  await peer.down();
  await expect(post(peer.webhookUrl, { text: 'b' })).rejects.toThrow('fetch failed');
  await peer.up();
  expect((await post(peer.webhookUrl, { text: 'c' })).status).toBe(200);
  expect(peer.posts).toEqual([{ text: 'c' }]);
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startChatWebhookPeer, type ChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startNotifier, stores } from './start-notifier.ts';

describe.each(stores)('delivery to a chat, on %s', (kind) => {
  let notifier: Awaited<ReturnType<typeof startNotifier>>;
  let chat: ChatWebhookPeer;

  beforeAll(async () => {
    notifier = await startNotifier(kind);
  });
  afterAll(async () => notifier[Symbol.asyncDispose]());
  beforeEach(async () => {
    chat = await startChatWebhookPeer();
    await notifier.set({ webhook_url: chat.webhookUrl });
  });
  afterEach(async () => chat[Symbol.asyncDispose]());

  const idle = () =>
    waitFor(
      async () => {
        const { waiting, active, delayed } = await notifier.queue.counts();
        return waiting + active + delayed === 0;
      },
      { what: 'the queue to be empty' },
    );

  test('posts the alert and notes it', async () => {
    const alert = await notifier.raise({ severity: 'Critical' });
    await idle();
    expect(chat.posts).toMatchObject([
      {
        text: 'AI Security Alert - Critical',
        attachments: [
          {
            footer: `Portcullis alert ${alert.id}`,
            title_link: `https://gateway.example/gate/console/alerts/${alert.id}`,
          },
        ],
      },
    ]);
    expect(await notifier.deliveryOf(alert)).toEqual({ status: 'delivered', attempts: 1, last_error: null });
    expect(notifier.health()).toEqual({ status: 'healthy', problems: [] });
  });

  test('tries again while the chat is down, and delivers when it is back', async () => {
    await chat.down();
    const alert = await notifier.raise({}, 100);
    const retrying = await waitFor(() => notifier.deliveryOf(alert), { what: 'the first attempt' });
    expect(retrying).toMatchObject({ status: 'retrying', last_error: expect.stringContaining('ECONNREFUSED') });
    expect(notifier.health()).toMatchObject({
      status: 'degraded',
      problems: [expect.stringMatching(/^chat channel: /)],
    });
    await chat.up();
    await idle();
    expect(chat.posts).toHaveLength(1);
    const delivered = await notifier.deliveryOf(alert);
    expect(delivered).toMatchObject({ status: 'delivered', last_error: null });
    expect(delivered?.attempts).toBeGreaterThan(1);
    expect(notifier.health().status).toBe('healthy');
  });

  test('ends as a dead job after the last attempt, with the reason, and can be put back', async () => {
    chat.failNext(3, { status: 503, body: 'Sorry!' });
    const alert = await notifier.raise();
    await idle();
    expect(chat.requests).toHaveLength(3);
    expect(await notifier.deliveryOf(alert)).toEqual({
      status: 'dead',
      attempts: 3,
      last_error: 'The chat answered 503',
    });
    expect(await notifier.queue.deadJobs(1)).toMatchObject([
      { id: `chat-${alert.id}`, attempts: 3, reason: 'The chat answered 503' },
    ]);

    await notifier.queue.retryDead(`chat-${alert.id}`);
    await idle();
    expect(chat.posts).toHaveLength(1);
    expect(await notifier.deliveryOf(alert)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('waits in the queue while the chat is away, asks it now and then, and loses nothing', async () => {
    chat.failNext(100_000, { status: 503 });
    for (let n = 0; n < 30; n += 1) await notifier.raise({}, 6);
    await waitFor(() => chat.requests.length >= 10, { what: 'trials' });
    const [asked, askedAt] = [chat.requests.length, performance.now()];
    await waitFor(() => chat.requests.length >= asked + 3, { what: 'three more trials' });
    expect(performance.now() - askedAt).toBeGreaterThan(2 * 290);
    chat.failNext(0, { status: 503 });
    await idle();
    expect([chat.posts.length, (await notifier.queue.counts()).dead]).toEqual([30, 0]);
  });

  test('leaves the other channels alone when the chat hangs', async () => {
    await using receiver = await startLoopbackPeer((_request, response) => void response.end());
    chat.hang(true);
    const { kysely } = notifier.infrastructure.database;
    const key = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const sealed = notifier.infrastructure.encryption.encrypt(key, 'settings.webhook.signing_secret');
    const document = JSON.stringify({ enabled: true, url: receiver.url, signing_secret: sealed });
    await kysely.insertInto('settings').values({ section: 'webhook', document }).execute();
    const other = notifier.queueOf('webhook');
    const alerts = await Promise.all(Array.from({ length: 20 }, () => notifier.raise({}, 100)));
    for (const alert of alerts) {
      const retry = { attempts: 3, backoffMs: 5 };
      await other.add(`webhook-${alert.id}`, { channel: 'webhook', alert }, retry);
    }
    await waitFor(() => receiver.requests.length === 20, { what: 'all posts to the webhook' });
    const { active, waiting } = await notifier.queue.counts();
    expect({ taken: chat.posts.length, active, waiting }).toEqual({ taken: 0, active: 4, waiting: 16 });
    chat.hang(false);
    await notifier.set({ webhook_url: chat.webhookUrl });
    await idle();
    expect(chat.posts).toHaveLength(20);
  });

  test('does not insist when the chat says no', async () => {
    chat.failNext(1, { status: 403, body: 'invalid_token' });
    const alert = await notifier.raise();
    await idle();
    expect(chat.requests).toHaveLength(1);
    const reason = 'The chat answered 403 (invalid_token): the credentials do not allow this';
    expect(await notifier.deliveryOf(alert)).toEqual({ status: 'dead', attempts: 1, last_error: reason });
    expect(await notifier.queue.deadJobs(1)).toMatchObject([{ attempts: 1, reason }]);
  });

  test('leaves the chat alone for as long as it asks', async () => {
    chat.failNext(1, { status: 429, headers: { 'retry-after': '1' } });
    const start = performance.now();
    await notifier.raise();
    await idle();
    expect(chat.posts).toHaveLength(1);
    // The queue alone would have come back after five milliseconds.
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });

  test('sends only what is severe enough and of a wanted category, and notes nothing else', async () => {
    await notifier.set({
      webhook_url: chat.webhookUrl,
      minimum_severity: 'High',
      categories: ['Canary Tokens', 'Other'],
    });
    const unwanted = [
      await notifier.raise({ severity: 'Medium', category: 'Other' }),
      await notifier.raise({ severity: 'Critical', category: 'Guardrails' }),
    ];
    const wanted = await notifier.raise({ severity: 'High', category: 'Canary Tokens' });
    await idle();
    expect(chat.posts).toMatchObject([{ attachments: [{ footer: `Portcullis alert ${wanted.id}` }] }]);
    for (const alert of unwanted) expect(await notifier.deliveryOf(alert)).toBeUndefined();
  });

  test.each([{ enabled: false }, { webhook_url: '' }])('sends and notes nothing with %j', async (change) => {
    await notifier.set({ webhook_url: chat.webhookUrl, ...change });
    const alert = await notifier.raise();
    await idle();
    expect(chat.requests).toEqual([]);
    expect(await notifier.deliveryOf(alert)).toBeUndefined();
  });

  test('sends one message for one job, however often it is queued or given out', async () => {
    const alert = await notifier.raise();
    await idle();
    const again = (id: string) => notifier.queue.add(id, { channel: 'chat', alert }, { attempts: 1, backoffMs: 1 });
    await again(`chat-${alert.id}`);
    await again(`chat-${alert.id}-as-after-a-crash`);
    await idle();
    expect(chat.posts).toHaveLength(1);
    expect(await notifier.deliveryOf(alert)).toMatchObject({ status: 'delivered' });
  });

  test('a stop breaks a post off in time, and the alert is delivered after the next start', async () => {
    chat.hang(true);
    const alert = await notifier.raise();
    await waitFor(() => chat.requests.length === 1, { what: 'the post to arrive' });
    chat.hang(false);
    const stoppedAt = performance.now();
    await notifier.set({ webhook_url: chat.webhookUrl });
    // A post of which nothing is heard ends by itself after ten seconds.
    expect(performance.now() - stoppedAt).toBeLessThan(9_000);
    await waitFor(() => chat.requests[0]?.outcome === 'broken-off', { what: 'the post to be broken off' });
    await idle();
    expect(chat.posts).toHaveLength(1);
    expect(await notifier.deliveryOf(alert)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('a webhook on an address that is never allowed is refused before a byte is sent', async () => {
    await notifier.set({ webhook_url: 'http://169.254.169.254/hook' });
    const alert = await notifier.raise();
    await idle();
    expect(await notifier.deliveryOf(alert)).toMatchObject({
      status: 'dead',
      last_error: 'The URL of the chat must not point to a cloud metadata service',
    });
  });
});

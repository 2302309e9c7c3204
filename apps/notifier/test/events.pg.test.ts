import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startChatWebhookPeer, type ChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { anEvent } from '../src/channels/an-alert.fixture.ts';
import { startNotifier, stores } from './start-notifier.ts';

describe.each(stores)('events to a chat, on %s', (kind) => {
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

  const ofProxy = (id: string) => anEvent({ id, kind: 'proxy_status', event: 'proxy.error', message: 'It cannot run' });
  const idle = () =>
    waitFor(
      async () => {
        const { waiting, active, delayed } = await notifier.queue.counts();
        return waiting + active + delayed === 0;
      },
      { what: 'the queue to be empty' },
    );

  test('arrive where their kind is wanted, each once', async () => {
    await notifier.publish(ofProxy('one'));
    await notifier.publish(anEvent({ id: 'two', kind: 'configuration' }));
    await idle();
    await notifier.publish(ofProxy('one'));
    await idle();
    expect(chat.posts).toMatchObject([
      { text: 'Gateway Event - Proxy Status', attachments: [{ title: 'Proxy Status: It cannot run' }] },
    ]);
  });

  test('end as dead letters with what they said', async () => {
    chat.failNext(1, { status: 403, body: 'invalid_token' });
    await notifier.publish(ofProxy('three'));
    await idle();
    expect(await notifier.queue.deadJobs(1)).toMatchObject([{ id: 'chat-event-three', attempts: 1 }]);
    await notifier.queue.retryDead('chat-event-three');
    await idle();
    expect(chat.posts).toHaveLength(1);
  });

  test('tell of an integration that ceases to get through, and that it does again, once each', async () => {
    // Something has to take them: an integration is not told of itself.
    const { kysely } = notifier.infrastructure.database;
    const outbox = async () => {
      const rows = await kysely.selectFrom('outbox').select(['topic', 'payload']).orderBy('id').execute();
      return rows.map(({ topic, payload }) => [topic, (payload as { event: string }).event]);
    };
    await notifier.raise();
    await idle();
    await kysely.deleteFrom('outbox').execute();

    chat.failNext(2, { status: 410 });
    for (let turn = 0; turn < 2; turn += 1) await notifier.raise();
    await waitFor(async () => (await outbox()).length > 0, { what: 'the event' });
    await idle();
    await notifier.raise();
    await waitFor(async () => (await outbox()).length > 1, { what: 'the second event' });
    await idle();
    await notifier.raise();
    await idle();
    expect(await outbox()).toEqual([
      ['event', 'integration.failing'],
      ['event', 'integration.working'],
    ]);
    const [row] = await kysely.selectFrom('outbox').select('payload').orderBy('id').limit(1).execute();
    expect(row?.payload).toMatchObject({
      kind: 'integration_status',
      severity: 'High',
      resource: { type: 'integration', id: 'chat' },
      error: 'The chat answered 410 (no_luck)',
    });
  });
});

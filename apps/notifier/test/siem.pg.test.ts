import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryJobId, deliveryQueue, type DeliveryJob } from '@portcullis/contracts/events';
import type { Queue } from '@portcullis/platform/coordination/coordination';
import { startChatWebhookPeer, type ChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { answer, startLoopbackPeer, type Peer } from '@portcullis/testkit/loopback-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startNotifier, stores } from './start-notifier.ts';

describe.each(stores)('deliveries to a SIEM, on %s', (kind) => {
  let notifier: Awaited<ReturnType<typeof startNotifier>>;
  let chat: ChatWebhookPeer;
  let siem: Peer;
  let queue: Queue<DeliveryJob>;
  /** Ids of the documents that are to be put off once. */
  const putOff = new Set<string>();
  const stored = new Map<string, number>();
  let isBusy = false;

  const store = (id: string): object => {
    if (putOff.delete(id)) return { status: 429, error: { type: 'es_rejected_execution_exception' } };
    stored.set(id, (stored.get(id) ?? 0) + 1);
    return { status: 201 };
  };

  beforeAll(async () => {
    notifier = await startNotifier(kind);
    chat = await startChatWebhookPeer();
    siem = await startLoopbackPeer((request, response) => {
      if (isBusy) {
        isBusy = false;
        return answer(response, 503, '{}', { 'retry-after': '2' });
      }
      const actions = request.body.split('\n').filter((line) => line.startsWith('{"create":'));
      const items = actions.map((line) => ({
        create: store((JSON.parse(line) as { create: { _id: string } }).create._id),
      }));
      answer(response, 200, { errors: true, items });
    });
    const { database, coordination, encryption } = notifier.infrastructure;
    const key = encryption.encrypt('key', 'settings.siem.api_key');
    const document = JSON.stringify({ enabled: true, format: 'elastic', endpoint: siem.url, api_key: key });
    await database.kysely.insertInto('settings').values({ section: 'siem', document }).execute();
    await notifier.set({ webhook_url: chat.webhookUrl });
    queue = coordination.queue<DeliveryJob>(deliveryQueue('siem'));
  });
  afterAll(async () => {
    await queue?.[Symbol.asyncDispose]();
    await notifier?.[Symbol.asyncDispose]();
    for (const peer of [chat, siem]) await peer?.[Symbol.asyncDispose]();
  });

  /** Alerts to the chat, and the same to the SIEM. */
  const raise = async (count: number): Promise<readonly string[]> => {
    const alerts = await Promise.all(Array.from({ length: count }, () => notifier.raise()));
    const retry = { attempts: 3, backoffMs: 5 };
    await Promise.all(
      alerts.map((alert) => queue.add(deliveryJobId('siem', alert.id), { channel: 'siem', alert }, retry)),
    );
    return alerts.map(({ id }) => `portcullis-alert-${id}`);
  };
  const wait = (ids: readonly string[]) => waitFor(() => ids.every((id) => stored.has(id)), { what: 'all of them' });

  test('send what was put off again, and nothing else', async () => {
    const [first] = await raise(1);
    const last = Number(first?.split('-').at(-1));
    for (const ahead of [3, 7, 20]) putOff.add(`portcullis-alert-${last + ahead}`);
    const ids = await raise(40);
    await wait(ids);
    expect(putOff.size).toBe(0);
    await waitFor(() => chat.posts.length === 41, { what: 'the chat' });
    expect(new Set(ids.map((id) => stored.get(id)))).toEqual(new Set([1]));
  });

  test('keep away for as long as it says, while others go on', async () => {
    isBusy = true;
    const [before, start] = [chat.posts.length, performance.now()];
    const ids = await raise(10);
    await waitFor(() => chat.posts.length === before + 10, { what: 'the chat' });
    expect(performance.now() - start).toBeLessThan(1_900);
    await wait(ids);
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_990);
    expect(new Set(ids.map((id) => stored.get(id)))).toEqual(new Set([1]));
    expect(await queue.counts()).toMatchObject({ dead: 0 });
  });
});

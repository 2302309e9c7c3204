import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startChatWebhookPeer, type ChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { startNotifier, stores } from './start-notifier.ts';

describe.each(stores)('digests to a chat, on %s', (kind) => {
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

  const kysely = () => notifier.infrastructure.database.kysely;

  /** A digest of so many alerts that is due now. */
  async function gather(count: number, severity = 'High'): Promise<string> {
    const id = randomUUID();
    await sql`
      with raised as (
        insert into alerts (event_id, severity, title, description, action, category, source, target, rule_id, policy_name, created_at)
        select gen_random_uuid(), ${severity}, 'A flood', 'Of alerts', 'Block', 'Guardrails', '10.0.0.1', '/v1/chat?n=' || n, 'R-1',
          'a policy', timestamptz '2026-11-20 10:00:00Z' + n * interval '1 s' from generate_series(1, ${count}::integer) n returning id
      ), digest as (
        insert into alert_digests (id, channel, due_at) values (${id}, 'chat', now()) returning id
      )
      insert into alert_deliveries (alert_id, channel, status, attempts, digest_id)
      select raised.id, 'chat', 'grouped', 0, digest.id from raised, digest`.execute(kysely());
    return id;
  }
  const digest = (id: string) =>
    kysely()
      .selectFrom('alert_digests')
      .select(['status', 'attempts', 'last_error'])
      .where('id', '=', id)
      .executeTakeFirst();
  const become = (id: string, status: string | undefined) =>
    waitFor(async () => (await digest(id))?.status === status, { what: `the digest to be ${status}` });

  test('tells of many alerts in one message, with count, times and examples', async () => {
    const id = await gather(40);
    await become(id, 'delivered');
    expect(chat.posts).toMatchObject([
      {
        attachments: [
          {
            title: 'Security Alert: 40 alerts: A flood',
            text: expect.stringMatching(
              /^40 further alerts[^\n]+\n2026-11-20T10:00:40.000Z alert \d+: 10.0.0.1 → \/v1\/chat\?n=40\n[^]+n=36\nOf alerts$/,
            ),
            fields: expect.arrayContaining([
              { title: 'Alerts', value: '40', short: true },
              { title: 'First', value: '2026-11-20T10:00:01.000Z', short: true },
              { title: 'Last', value: '2026-11-20T10:00:40.000Z', short: true },
            ]),
            footer: expect.stringMatching(/^Portcullis digest of 40 alerts, the latest is \d+$/),
          },
        ],
      },
    ]);
    expect(await digest(id)).toEqual({ status: 'delivered', attempts: 1, last_error: null });
  });

  test('is an ordinary message when it would tell of one alert', async () => {
    const id = await gather(1);
    await become(id, undefined);
    await waitFor(() => chat.posts.length === 1, { what: 'the message' });
    expect(chat.posts).toMatchObject([{ attachments: [{ title: 'Security Alert: A flood' }] }]);
  });

  test('is not sent where the channel does not take such alerts', async () => {
    await notifier.set({ webhook_url: chat.webhookUrl, minimum_severity: 'High' });
    const id = await gather(5, 'Low');
    await become(id, undefined);
    expect(chat.posts).toEqual([]);
  });

  test('is sent once when the process died after it was queued and before that was noted', async () => {
    const id = await gather(3);
    await become(id, 'delivered');
    await sql`update alert_digests set status = 'open' where id = ${id}`.execute(kysely());
    await become(id, 'queued');
    const { waiting, active } = await notifier.queue.counts();
    expect({ waiting, active, posts: chat.posts.length }).toEqual({ waiting: 0, active: 0, posts: 1 });
  });

  test('is kept as a dead letter when it cannot be delivered, and tells so', async () => {
    chat.failNext(1, { status: 404, body: 'no_service' });
    const id = await gather(6);
    await become(id, 'dead');
    // It is noted before the queue hears of it.
    await waitFor(async () => (await notifier.queue.counts()).dead > 0, { what: 'the dead letter' });
    expect(await notifier.queue.deadJobs(1)).toMatchObject([{ id: `chat-digest-${id}`, attempts: 1 }]);
    expect(await notifier.queue.retryDead(`chat-digest-${id}`)).toBe(true);
    await become(id, 'delivered');
    expect(chat.posts).toHaveLength(1);
  });
});

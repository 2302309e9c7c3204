/**
 * Delivers alerts to an Elasticsearch peer through a notifier on real stores, 10,000 unless told otherwise, and prints how many a
 * second and at what CPU of this process, which has the peer in it, too. Started by `node apps/notifier/test/measure/measure-delivery.ts`.
 */
import { randomUUID } from 'node:crypto';
import { deliveryJobId, deliveryQueue, type DeliveryJob } from '@portcullis/contracts/events';
import { startElasticPeer } from '@portcullis/testkit/vendor-peers';
import { waitFor } from '@portcullis/testkit/wait-for';
import { anAlert } from '../../src/channels/an-alert.fixture.ts';
import { everyStores, startNotifier } from '../start-notifier.ts';

const [kind = 'embedded stores', size = '10000'] = process.argv.slice(2);
const count = Number(size);
const store = everyStores.find((name) => name === kind) ?? everyStores[0];

await using peer = await startElasticPeer('elastic-key');
await using notifier = await startNotifier(store);
const { database, coordination, encryption } = notifier.infrastructure;
const document = JSON.stringify({
  enabled: true,
  format: 'elastic',
  endpoint: peer.url,
  api_key: encryption.encrypt('elastic-key', 'settings.siem.api_key'),
});
await using queue = coordination.queue<DeliveryJob>(deliveryQueue('siem'));

const { id: _id, assignee: _assignee, created_at, updated_at, raw_data, ...row } = anAlert();
const ids: number[] = [];
for (let from = 0; from < count; from += 500) {
  const rows = Array.from({ length: Math.min(500, count - from) }, () => ({
    ...row,
    event_id: randomUUID(),
    created_at,
    updated_at,
    raw_data: JSON.stringify(raw_data),
  }));
  const added = await database.kysely.insertInto('alerts').values(rows).returning('id').execute();
  ids.push(...added.map(({ id }) => id));
}
await database.kysely.insertInto('settings').values({ section: 'siem', document }).execute();
await new Promise((resolve) => setTimeout(resolve, 1_500));

const startedAt = performance.now();
const cpu = process.cpuUsage();
for (let from = 0; from < count; from += 500)
  await Promise.all(
    ids
      .slice(from, from + 500)
      .map((id) =>
        queue.add(
          deliveryJobId('siem', id),
          { channel: 'siem', alert: anAlert({ id }) },
          { attempts: 3, backoffMs: 1_000 },
        ),
      ),
  );
const queuedMs = performance.now() - startedAt;
await waitFor(async () => peer.taken.length === count && (await queue.counts()).active === 0, {
  what: 'all deliveries',
  timeoutMs: 600_000,
});
const ms = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpu);
const noted = await database.kysely
  .selectFrom('alert_deliveries')
  .select(({ fn }) => fn.countAll<number>().as('count'))
  .where('status', '=', 'delivered')
  .executeTakeFirstOrThrow();
const bytes = peer.requests.reduce((sum, { body }) => sum + body.length, 0);
process.stdout.write(
  `${JSON.stringify({
    store,
    count,
    seconds: Number((ms / 1_000).toFixed(2)),
    queuedAfterSeconds: Number((queuedMs / 1_000).toFixed(2)),
    perSecond: Math.round((count * 1_000) / ms),
    cpuMicrosPerDelivery: Math.round((user + system) / count),
    noted: noted.count,
    posts: peer.requests.length,
    megabytesBeforeCompression: Number((bytes / 1e6).toFixed(1)),
  })}\n`,
);

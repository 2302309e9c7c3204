import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Alert, DeliveryJob } from '@portcullis/contracts/events';
import { deliveryJobId, deliveryQueue, eventJobId } from '@portcullis/contracts/events';
import type { GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { ChannelName } from '@portcullis/contracts/channels';
import type { ChatWebhookSettings } from '@portcullis/contracts/integration-settings';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { Secret } from '@portcullis/platform/config/secret';
import { openCoordination } from '@portcullis/platform/hosting/open-coordination';
import { openLocalModels } from '@portcullis/platform/guardrails/local-models/local-models';
import type { Service } from '@portcullis/platform/service/service';
import { createMetrics } from '@portcullis/platform/metrics/metrics';
import { openTls } from '@portcullis/platform/tls/open-tls';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { isFullRun, openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { Redis } from 'ioredis';
import { anAlert } from '../src/channels/an-alert.fixture.ts';
import { createNotifierService } from '../src/service.ts';

export const everyStores = ['embedded stores', 'PostgreSQL and Redis'] as const;
export type Stores = (typeof everyStores)[number];
/** Those of this run. */
export const stores: readonly Stores[] = isFullRun ? everyStores : ['PostgreSQL and Redis'];

const backoffMs = 5;

/** A notifier over real stores of its own, with the hands of the services around it. */
export async function startNotifier(kind: Stores) {
  await using opened = new AsyncDisposableStack();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portcullis-notifier-'));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const database = opened.use(await openTestDatabase(kind === 'embedded stores' ? 'embedded' : 'server'));
  const redis = kind === 'embedded stores' ? undefined : opened.use(usePrefix());
  const coordination = opened.use(await openCoordination({ dataDirectory, log: silentLog, ...redis }));

  const jwtAndKey = { JWT_SECRET: new Secret('j'.repeat(32)), ENCRYPTION_KEY: new Secret('e'.repeat(32)) };
  const config = parseConfigOrThrow({ SHUTDOWN_TIMEOUT: '1s', PUBLIC_URL: 'https://gateway.example/gate/' });
  const infrastructure = {
    config: { ...config, ...jwtAndKey, ALERT_DELIVERY_REST: 300 },
    log: silentLog,
    metrics: createMetrics(),
    encryption: createEncryption('e'.repeat(32)),
    database,
    coordination,
    tls: await openTls({ config, log: silentLog }),
    localModels: opened.use(openLocalModels(config)),
    dataDirectory,
    openSpool: () => Promise.reject(new Error('The notifier has no spool')),
    instanceId: randomUUID(),
  };
  let service: Service = createNotifierService(infrastructure);
  await service.start();
  opened.defer(() => service[Symbol.asyncDispose]());
  let { metrics } = infrastructure;
  const restart = async (): Promise<void> => {
    await service[Symbol.asyncDispose]();
    metrics = createMetrics();
    service = createNotifierService({ ...infrastructure, metrics });
    await service.start();
  };
  const queue = opened.use(coordination.queue<DeliveryJob>(deliveryQueue('chat')));
  const resources = opened.move();

  return {
    infrastructure,
    queue,
    queueOf: (channel: ChannelName) => resources.use(coordination.queue<DeliveryJob>(deliveryQueue(channel))),
    health: () => service.health(),

    /** Writes the settings as the management API does, and waits until they are in force. */
    async set({ webhook_url: url, ...rest }: Partial<ChatWebhookSettings>): Promise<void> {
      const sealed = url && infrastructure.encryption.encrypt(url, 'settings.chat_webhook.webhook_url');
      const document = JSON.stringify({ enabled: true, ...rest, ...(sealed && { webhook_url: sealed }) });
      await database.kysely
        .insertInto('settings')
        .values({ section: 'chat_webhook', document })
        .onConflict((conflict) => conflict.column('section').doUpdateSet({ document }))
        .execute();
      // A restart reads them at once; the cache of a second has a test of its own.
      await restart();
    },
    restart,
    /** As Prometheus reads them; of the service since it was started last. */
    metrics: (): Promise<string> => metrics.registry.metrics(),

    /** Stores an alert and queues its delivery, as the outbox relay does. */
    async raise(change: Partial<Alert> = {}, attempts = 3): Promise<Alert> {
      const { id: _id, assignee: _assignee, created_at, updated_at, raw_data, ...row } = anAlert(change);
      const { id } = await database.kysely
        .insertInto('alerts')
        .values({ ...row, event_id: randomUUID(), created_at, updated_at, raw_data: JSON.stringify(raw_data) })
        .returning('id')
        .executeTakeFirstOrThrow();
      const alert = anAlert({ ...change, id });
      await queue.add(deliveryJobId('chat', id), { channel: 'chat', alert }, { attempts, backoffMs });
      return alert;
    },

    /** Queues an event, as the outbox relay does. */
    publish: (event: GatewayEvent, attempts = 3): Promise<void> =>
      queue.add(eventJobId('chat', event.id), { channel: 'chat', event }, { attempts, backoffMs }),

    deliveryOf: (alert: Alert) =>
      database.kysely
        .selectFrom('alert_deliveries')
        .select(['status', 'attempts', 'last_error'])
        .where('alert_id', '=', alert.id)
        .executeTakeFirst(),

    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A key prefix on the test server; disposing removes what was written under it. */
function usePrefix() {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('TEST_REDIS_URL is not set; `npm test` brings a server and sets it');
  const keyPrefix = `notifier-test-${randomUUID()}:`;
  return {
    redisUrl: new Secret(url),
    keyPrefix,
    async [Symbol.asyncDispose]() {
      const redis = new Redis(url);
      const keys = await redis.keys(`${keyPrefix}*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
  };
}

import type { ChannelName } from '@portcullis/contracts/channels';
import { deliveryJobId, digestJobId, type Alert, type AlertDigest } from '@portcullis/contracts/events';
import { alertColumns, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { RetryRule } from '@portcullis/platform/coordination/coordination';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import { createJob, type ServicePart } from '@portcullis/platform/service/service-part';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';
import type { Destinations } from '../channels/open-destinations.ts';

const pollIntervalMs = 1_000;
const clearEveryMs = 3_600_000;
/** In one look: a flood of rules must not keep the database from other work. */
const maxAtOnce = 100;
const maxExamples = 5;

export interface DigestParts {
  readonly database: Database;
  readonly queues: Pick<DeliveryQueues, 'of'>;
  readonly destinations: Destinations;
  readonly retry: RetryRule;
  readonly log: Logger;
}

/** Queues digests when they are due, and clears away those of which no alert is left. Any number of processes may do this. */
export function createDigestSender(parts: DigestParts): ServicePart {
  const onFault = (error: unknown): void => {
    parts.log.warn('Digests of alerts could not be sent', { problem: problemText(error) });
  };
  return createJob(() => {
    const sending = runEvery(() => sendDue(parts), { intervalMs: pollIntervalMs, onFault });
    const clearing = runEvery(() => clearOld(parts.database), { intervalMs: clearEveryMs, onFault });
    return {
      async [Symbol.asyncDispose]() {
        await Promise.all([sending[Symbol.asyncDispose](), clearing[Symbol.asyncDispose]()]);
      },
    };
  });
}

async function sendDue(parts: DigestParts): Promise<void> {
  const { kysely } = parts.database;
  const due = await kysely
    .selectFrom('alert_digests')
    .select(['id', 'channel'])
    .where('status', '=', 'open')
    .where('due_at', '<=', databaseNow)
    .orderBy('due_at')
    .limit(maxAtOnce)
    .execute();
  for (const { id, channel: name } of due) {
    const channel = name as ChannelName;
    // Before the transaction: the embedded database has no second session for it.
    const destination = await parts.destinations.get(channel)?.current();
    const isWanted = (alert: Alert): boolean => destination?.enabled === true && destination.accepts(alert);
    await kysely
      .transaction()
      .execute((transaction) => send({ id, channel, isWanted }, parts, { kysely: transaction }));
  }
}

interface DueDigest {
  readonly id: string;
  readonly channel: ChannelName;
  readonly isWanted: (alert: Alert) => boolean;
}

/** Nothing is lost when the process dies on the way: the queue takes the same digest once, and it is due until it is noted. */
async function send(
  { id, channel, isWanted }: DueDigest,
  { queues, retry }: DigestParts,
  { kysely }: Queryable,
): Promise<void> {
  const mine = await sql`
    select from alert_digests where id = ${id} and status = 'open' for update skip locked`.execute(kysely);
  if (mine.rows.length === 0) return;
  const drop = () => kysely.deleteFrom('alert_digests').where('id', '=', id).execute();

  const { digest, alert } = await loadDigest(id, { kysely });
  if (alert === undefined || !isWanted(alert)) return void (await drop());
  if (digest.count === 1) {
    await queues.of(channel).add(deliveryJobId(channel, alert.id), { channel, alert }, retry);
    return void (await drop());
  }
  await queues.of(channel).add(digestJobId(channel, id), { channel, alert: { ...alert, digest } }, retry);
  await kysely
    .updateTable('alert_digests')
    .set({ status: 'queued', updated_at: databaseNow })
    .where('id', '=', id)
    .execute();
}

/** What a digest says; the alert is its latest one, undefined when all were deleted. */
async function loadDigest(
  id: string,
  { kysely }: Queryable,
): Promise<{ readonly digest: AlertDigest; readonly alert: Alert | undefined }> {
  const members = sql`alert_deliveries join alerts on alerts.id = alert_id where digest_id = ${id}`;
  const counted = await sql<{ count: number; sources: number; first_at: Date | null; last_at: Date | null }>`
    select count(*)::integer as count, count(distinct source)::integer as sources,
      min(created_at) as first_at, max(created_at) as last_at
    from ${members}`.execute(kysely);
  const latest = await sql<AlertRow>`
    select ${alertColumns} from alerts where id = any (array(
      select alert_id from alert_deliveries where digest_id = ${id} order by alert_id desc limit ${maxExamples}))
    order by id desc`.execute(kysely);
  const examples = latest.rows.map(renderAlert);
  const { count = 0, sources = 0, first_at: first, last_at: last } = counted.rows[0] ?? {};
  return {
    alert: examples[0],
    digest: {
      id,
      count,
      sources,
      first_at: first?.toISOString() ?? '',
      last_at: last?.toISOString() ?? '',
      examples: examples.map(({ id: alertId, source, target, user_identity, created_at }) => ({
        id: alertId,
        source,
        target,
        user_identity,
        created_at,
      })),
    },
  };
}

/** Alerts expire with their deliveries; what stood above them goes with the last of them. */
async function clearOld({ kysely }: Database): Promise<void> {
  await sql`
    delete from alert_digests as digest where status in ('delivered', 'dead') and updated_at < now() - interval '1 day'
      and not exists (select from alert_deliveries where digest_id = digest.id)`.execute(kysely);
  await sql`delete from alert_groups where latest_at < now() - interval '1 day'`.execute(kysely);
}

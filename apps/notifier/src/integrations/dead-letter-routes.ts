import type { DeliveryJob } from '@portcullis/contracts/events';
import {
  listDeadLetters,
  retryDeadLetter,
  retryDeadLetters,
  type DeadLetter,
  type DeadLetterFilter,
} from '@portcullis/contracts/routes/integrations';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { DeadJob } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';

export const deadLetterRoutes = (database: Database, queues: DeliveryQueues): BoundRoute[] => [
  bind(listDeadLetters, async ({ query }) => ({ data: (await queues.deadJobs(query.limit)).map(renderDeadLetter) })),

  bind(retryDeadLetters, async (call) => {
    const chosen = (await queues.deadJobs(maxReplayed)).filter((job) => passes(job, call.body)).toReversed();
    let retried = 0;
    for (const { id } of chosen) retried += (await queues.retryDead(id)) ? 1 : 0;
    const resource = { type: 'delivery', id: null, name: null };
    await recordAudit(
      database.kysely,
      auditEntry(call, {
        event: 'delivery.retried',
        resource,
        details: { ...call.body, ids: call.body.ids?.length, retried },
      }),
    );
    return { data: { retried } };
  }),

  bind(retryDeadLetter, async (call) => {
    const { params } = call;
    if (!(await queues.retryDead(params.id))) {
      throw new GatewayError('not_found', { message: `There is no dead letter ${params.id}` });
    }
    const resource = { type: 'delivery', id: params.id, name: null };
    await recordAudit(database.kysely, auditEntry(call, { event: 'delivery.retried', resource }));
    return { message: 'The delivery is tried again' };
  }),
];

/** All that queues keep: a thousand each. */
const maxReplayed = 10_000;

function passes(
  { id, payload, reason, failedAt }: DeadJob<DeliveryJob>,
  { ids, channel, reason: part, failed_after: after, failed_before: before }: DeadLetterFilter,
): boolean {
  const at = Date.parse(failedAt);
  return (
    (ids === undefined || ids.includes(id)) &&
    (channel === undefined || payload.channel === channel) &&
    (part === undefined || reason.toLowerCase().includes(part.toLowerCase())) &&
    (after === undefined || at >= Date.parse(after)) &&
    (before === undefined || at < Date.parse(before))
  );
}

const renderDeadLetter = ({ id, payload, attempts, reason, failedAt }: DeadJob<DeliveryJob>): DeadLetter => ({
  id,
  channel: payload.channel,
  ...('alert' in payload
    ? { alert_id: payload.alert.id, event_id: null, title: payload.alert.title }
    : { alert_id: null, event_id: payload.event.id, title: payload.event.message }),
  attempts,
  reason,
  failed_at: failedAt,
});

import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { Alert, AlertDeliveryJob } from '@portcullis/contracts/events';
import type { QueuedJob } from '@portcullis/platform/coordination/coordination';
import { PermanentFailure } from '@portcullis/platform/coordination/permanent-failure';
import type { CachedSettings } from '@portcullis/platform/settings/cached-settings';
import type { Destination } from '../channels/shared/channel.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryOutcome } from '../senders/delivery-outcome.ts';
import type { QuietPeriod } from './quiet-period.ts';

export interface DeliveryParts {
  readonly destination: Pick<CachedSettings<Destination>, 'current'>;
  readonly deliveries: DeliveryLog;
  readonly quietPeriod: QuietPeriod;
  /** Where a person reads an alert; undefined while the gateway does not know where it is reached. */
  readonly addressOf: (alert: Alert) => string | undefined;
  /** Writes down what was sent. Never rejects: a delivery that was made is not made again for it. */
  readonly audit: (event: AuditEventType, alert: Alert) => Promise<void>;
  /** Called with every attempt, delivered or not. */
  readonly observe: (outcome: DeliveryOutcome) => void;
  /** Aborted when the service stops: attempts under way are broken off. */
  readonly stopping: AbortSignal;
}

/**
 * Makes one attempt to deliver one alert. Delivery is at least once: an alert that is noted as
 * delivered is not sent again, yet a process that dies between the destination's answer and the note
 * leaves a job that is.
 * @throws to have the queue try again; a `PermanentFailure` when that cannot help
 */
export async function deliverAlert(job: QueuedJob<AlertDeliveryJob>, parts: DeliveryParts): Promise<void> {
  const { alert } = job.payload;
  const { attempt } = job;
  const destination = await parts.destination.current();

  if (!destination.enabled || destination.missing !== undefined || !destination.accepts(alert)) {
    const lastError = 'The channel stopped taking this alert before it was delivered';
    if (attempt > 1) await parts.deliveries.save(alert, { status: 'dead', attempts: attempt - 1, lastError });
    return;
  }
  if (await parts.deliveries.isDelivered(alert)) return;

  await parts.quietPeriod.over(parts.stopping);
  const url = parts.addressOf(alert);
  const outcome = await destination.send(url === undefined ? alert : { ...alert, url }, parts.stopping);
  parts.observe(outcome);
  if (outcome.kind === 'delivered') {
    await parts.deliveries.save(alert, { status: 'delivered', attempts: attempt, lastError: null });
    if (destination.audited !== undefined) await parts.audit(destination.audited, alert);
    return;
  }

  const dead = outcome.kind === 'refused' || job.lastAttempt;
  const lastError = outcome.reason;
  await parts.deliveries.save(alert, { status: dead ? 'dead' : 'retrying', attempts: attempt, lastError });
  failJob(outcome, parts.quietPeriod);
}

/** Ends a job that was not delivered. @throws always; a `PermanentFailure` when it is not to be tried again */
export function failJob(outcome: Exclude<DeliveryOutcome, { kind: 'delivered' }>, quietPeriod: QuietPeriod): never {
  if (outcome.kind === 'refused') throw new PermanentFailure(outcome.reason);
  if (outcome.retryAfterMs !== undefined) quietPeriod.ask(outcome.retryAfterMs);
  throw new Error(outcome.reason);
}

import type { EventDeliveryJob } from '@portcullis/contracts/events';
import type { QueuedJob } from '@portcullis/platform/coordination/coordination';
import { failJob, type DeliveryParts } from './deliver-alert.ts';

/**
 * Makes one attempt to deliver what is no alert. The id of the job says which event it is: one that was delivered is not
 * accepted again.
 * @throws to have the queue try again; a `PermanentFailure` when that cannot help
 */
export async function deliverEvent(
  { payload: { event } }: QueuedJob<EventDeliveryJob>,
  parts: Pick<DeliveryParts, 'destination' | 'quietPeriod' | 'observe' | 'stopping'>,
): Promise<void> {
  const { enabled, missing, events } = await parts.destination.current();
  if (!enabled || missing !== undefined || events?.accepts(event) !== true) return;

  await parts.quietPeriod.over(parts.stopping);
  const outcome = await events.send(event, parts.stopping);
  parts.observe(outcome);
  if (outcome.kind !== 'delivered') failJob(outcome, parts.quietPeriod);
}

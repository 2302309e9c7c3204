import type { AlertDeliveryJob } from '@portcullis/contracts/events';
import type { ChatOutcome, ChatSender } from '@portcullis/platform/chat/chat-sender';
import type { QueuedJob } from '@portcullis/platform/coordination/coordination';
import { PermanentFailure } from '@portcullis/platform/coordination/permanent-failure';
import { channelAccepts } from '../chat/channel-accepts.ts';
import { renderAlertMessage } from '../chat/render-alert-message.ts';
import type { CachedChannel } from './cached-channel.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { QuietPeriod } from './quiet-period.ts';

export interface DeliveryParts {
  readonly channel: Pick<CachedChannel, 'current'>;
  readonly sender: Pick<ChatSender, 'send'>;
  readonly deliveries: DeliveryLog;
  readonly quietPeriod: QuietPeriod;
  /** Told of every post, delivered or not. */
  readonly observe: (outcome: ChatOutcome) => void;
  /** Aborted when the service stops: posts under way are broken off. */
  readonly stopping: AbortSignal;
}

/**
 * Makes one attempt to deliver one alert. Delivery is at least once: an alert that is noted as
 * delivered is not sent again, yet a process that dies between the chat's answer and the note
 * leaves a job that is.
 * @throws to have the queue try again; a `PermanentFailure` when that cannot help
 */
export async function deliverAlert(job: QueuedJob<AlertDeliveryJob>, parts: DeliveryParts): Promise<void> {
  const { alert } = job.payload;
  const { attempt } = job;
  const channel = await parts.channel.current();

  if (!channel.enabled || channel.webhookUrl === undefined || !channelAccepts(channel, alert)) {
    const lastError = 'The channel stopped taking this alert before it was delivered';
    if (attempt > 1) await parts.deliveries.save(alert.id, { status: 'dead', attempts: attempt - 1, lastError });
    return;
  }
  if (await parts.deliveries.isDelivered(alert.id)) return;

  await parts.quietPeriod.over(parts.stopping);
  const message = renderAlertMessage(alert, channel.channel);
  const outcome = await parts.sender.send(channel.webhookUrl, message, parts.stopping);
  parts.observe(outcome);
  if (outcome.kind === 'delivered') {
    return parts.deliveries.save(alert.id, { status: 'delivered', attempts: attempt, lastError: null });
  }

  const dead = outcome.kind === 'refused' || job.lastAttempt;
  const lastError = outcome.reason;
  await parts.deliveries.save(alert.id, { status: dead ? 'dead' : 'retrying', attempts: attempt, lastError });
  if (outcome.kind === 'refused') throw new PermanentFailure(outcome.reason);
  if (outcome.retryAfterMs !== undefined) parts.quietPeriod.ask(outcome.retryAfterMs);
  throw new Error(outcome.reason);
}

import type { AlertDeliveryJob } from '@portcullis/contracts/events';
import type { DeadLetter } from '@portcullis/contracts/routes/system';
import type { DeadJob } from '@portcullis/platform/coordination/coordination';

export const renderDeadLetter = ({
  id,
  payload,
  attempts,
  reason,
  failedAt,
}: DeadJob<AlertDeliveryJob>): DeadLetter => ({
  id,
  channel: payload.channel,
  alert_id: payload.alert.id,
  title: payload.alert.title,
  attempts,
  reason,
  failed_at: failedAt,
});

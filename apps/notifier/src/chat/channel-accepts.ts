import type { Alert } from '@portcullis/contracts/events';
import { severities } from '@portcullis/contracts/records';
import type { ChatChannel } from '@portcullis/platform/chat/chat-channel';

/** Whether an alert is severe enough for the channel and of a category it wants. */
export const channelAccepts = (
  channel: Pick<ChatChannel, 'minimum_severity' | 'categories'>,
  alert: Pick<Alert, 'severity' | 'category'>,
): boolean =>
  severities.indexOf(alert.severity) <= severities.indexOf(channel.minimum_severity) &&
  channel.categories.includes(alert.category);

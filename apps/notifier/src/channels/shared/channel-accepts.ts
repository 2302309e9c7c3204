import type { Alert } from '@portcullis/contracts/events';
import { severities } from '@portcullis/contracts/records';
import type { AlertFilter } from '@portcullis/contracts/integration-settings';

/** What a channel takes. Without `events` it takes alerts alone. */
export interface ChannelFilter extends AlertFilter {
  readonly events?: readonly string[];
}

/** Whether alerts are sent at all, and this one is severe enough for the channel and of a category it wants. */
export const channelAccepts = (channel: ChannelFilter, alert: Pick<Alert, 'severity' | 'category'>): boolean =>
  channel.events?.includes('alerts') !== false &&
  severities.indexOf(alert.severity) <= severities.indexOf(channel.minimum_severity) &&
  channel.categories.includes(alert.category);

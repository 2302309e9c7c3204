import type { Alert } from '@portcullis/contracts/events';
import { severities } from '@portcullis/contracts/records';
import type { AlertFilter } from '@portcullis/contracts/integration-settings';

/** Whether an alert is severe enough for the channel and of a category it wants. */
export const channelAccepts = (channel: AlertFilter, alert: Pick<Alert, 'severity' | 'category'>): boolean =>
  severities.indexOf(alert.severity) <= severities.indexOf(channel.minimum_severity) &&
  channel.categories.includes(alert.category);

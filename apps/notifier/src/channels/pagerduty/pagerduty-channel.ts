import { hash } from 'node:crypto';
import type { Alert, OutgoingAlert } from '@portcullis/contracts/events';
import type { Severity } from '@portcullis/contracts/records';
import { Secret } from '@portcullis/platform/config/secret';
import type { Channel } from '../shared/channel.ts';
import { channelAccepts } from '../shared/channel-accepts.ts';
import { readAlertFacts, truncate } from '../shared/alert-facts.ts';
import { createMessagePoster } from '../shared/message-poster.ts';
import { testAlert } from '../shared/test-alert.ts';

/** An event of the Events API v2 without the key. */
interface PagerdutyEvent {
  readonly event_action: 'trigger' | 'resolve';
  readonly dedup_key: string;
  readonly payload?: object;
  readonly links?: readonly { readonly href: string; readonly text: string }[];
}

const severities: Readonly<Record<Severity, 'critical' | 'error' | 'warning' | 'info'>> = {
  Critical: 'critical',
  High: 'error',
  Medium: 'warning',
  Low: 'info',
};

const maxSummary = 1_024;

/** One open incident for what one rule finds of one source, however often: PagerDuty adds to it by this key. */
const dedupKey = ({ policy_name: policy, rule_id: rule, source }: Alert): string =>
  `portcullis-${hash('sha256', JSON.stringify([policy, rule, source]))}`;

function renderTrigger(alert: OutgoingAlert): PagerdutyEvent {
  const { title, description, fields, evidence } = readAlertFacts(alert);
  return {
    event_action: 'trigger',
    dedup_key: dedupKey(alert),
    ...(alert.url !== undefined && { links: [{ href: alert.url, text: 'Open the alert' }] }),
    payload: {
      summary: truncate(`[AI Security Alert] ${alert.severity}: ${title}`, maxSummary),
      source: alert.source.trim() === '' ? 'portcullis' : alert.source,
      severity: severities[alert.severity],
      timestamp: alert.created_at,
      component: 'portcullis',
      class: alert.category,
      custom_details: { ...Object.fromEntries(fields), Description: description, Evidence: evidence, Alert: alert.id },
    },
  };
}

/** Incidents by the Events API v2 of PagerDuty. */
export const pagerdutyChannel: Channel<'pagerduty'> = {
  name: 'pagerduty',
  section: 'pagerduty',
  open({ settings, secret }, { http }) {
    const key = secret('routing_key');
    const missing = key === undefined ? 'No routing key is set' : undefined;
    const post = createMessagePoster(http, missing, (event: PagerdutyEvent) => ({
      name: 'PagerDuty',
      url: new Secret(settings.endpoint),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ routing_key: key?.reveal(), client: 'Portcullis', ...event }),
    }));
    return {
      enabled: settings.enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => post(renderTrigger(alert), signal),
      // An incident that a test has opened is closed again.
      async verify(signal) {
        const event = renderTrigger(testAlert());
        const outcome = await post(event, signal);
        if (outcome.kind !== 'delivered') return outcome;
        return post({ event_action: 'resolve', dedup_key: event.dedup_key }, signal);
      },
    };
  },
};

import type { OutgoingAlert } from '@portcullis/contracts/events';
import type { EventKind, EventSeverity, GatewayEvent } from '@portcullis/contracts/gateway-events';
import { alertLabel, readAlertFacts, truncate, type AlertFacts } from '../shared/alert-facts.ts';

/** What a chat shows, whichever chat it is. Texts are cut to size and not escaped. */
export interface Notice {
  /** For notifications, such as `AI Security Alert - High`. No text of strangers is in it. */
  readonly heading: string;
  /** What stands before the title where the heading is shown apart from it. */
  readonly label: string;
  readonly severity: EventSeverity;
  readonly title: string;
  readonly description: string;
  readonly fields: AlertFacts['fields'];
  /** Undefined where there is none to show. */
  readonly evidence: string | undefined;
  readonly footer: string;
  /** Where the title leads; undefined where it leads nowhere. */
  readonly url?: string | undefined;
  /** ISO 8601, UTC. */
  readonly time: string;
}

export function renderAlertNotice(alert: OutgoingAlert): Notice {
  const { title, description, fields, evidence } = readAlertFacts(alert);
  return {
    heading: `AI Security Alert - ${alert.severity}`,
    label: 'Security Alert',
    severity: alert.severity,
    title,
    description,
    fields,
    evidence,
    footer: alertLabel(alert),
    url: alert.url,
    time: alert.created_at,
  };
}

const maxText = 2_000;

const headings: Readonly<Record<EventKind, string>> = {
  proxy_status: 'Proxy Status',
  integration_status: 'Integration Status',
  authentication: 'Authentication',
  configuration: 'Configuration',
  system: 'System',
};

export function renderEventNotice(event: GatewayEvent): Notice {
  const { actor, resource } = event;
  const fields: readonly (readonly [string, string | null | undefined])[] = [
    ['Event', event.event],
    ['Severity', event.severity],
    ['Subject', resource === null ? null : `${resource.type} ${resource.name ?? resource.id ?? ''}`.trim()],
    ['User', actor?.name],
    ['Source IP', event.source_ip],
    ['Time', event.timestamp],
  ];
  return {
    heading: `Gateway Event - ${headings[event.kind]}`,
    label: headings[event.kind],
    severity: event.severity,
    title: truncate(event.message, maxText),
    description: truncate(event.error ?? '', maxText),
    fields: fields.flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, truncate(value, maxText)] as const],
    ),
    evidence: undefined,
    footer: `Portcullis event ${event.id}`,
    time: event.timestamp,
  };
}

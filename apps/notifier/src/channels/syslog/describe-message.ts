import type { OutgoingAlert } from '@portcullis/contracts/events';
import type { EventSeverity, GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { SyslogSettings } from '@portcullis/contracts/integration-settings';
import { readAlertFacts } from '../shared/alert-facts.ts';
import { alertItem } from '../siem/render-alert.ts';
import { eventItem } from '../siem/render-event.ts';
import type { SyslogMessage } from './render-message.ts';

/** Of RFC 5424: critical, error, warning, notice, informational. */
const severities: Readonly<Record<EventSeverity, number>> = { Critical: 2, High: 3, Medium: 4, Low: 5, Info: 6 };

type Facts = readonly (readonly [name: string, value: string | number | null | undefined])[];

const given = (facts: Facts): SyslogMessage['parameters'] =>
  facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)] as const],
  );

export function describeAlert(alert: OutgoingAlert, format: SyslogSettings['message_format']): SyslogMessage {
  const { title, description, evidence } = readAlertFacts(alert);
  const parameters: Facts = [
    ['eventId', alertItem(alert).id],
    ['severity', alert.severity],
    ['category', alert.category],
    ['action', alert.action],
    ['policy', alert.policy_name],
    ['rule', alert.rule_id],
    ['src', alert.source],
    ['user', alert.user_identity],
    ['group', alert.user_group],
    ['target', alert.target],
    ['proxyId', alert.proxy_id],
    ['requestId', alert.request_id],
    ['url', alert.url],
    ['evidence', evidence],
  ];
  return {
    severity: severities[alert.severity],
    time: alert.created_at,
    id: 'alert',
    parameters: given(parameters),
    content: format === 'json' ? alertItem(alert).ecs() : `${title}: ${description}`,
  };
}

/** The message id is the name of the event. */
export function describeEvent(event: GatewayEvent, format: SyslogSettings['message_format']): SyslogMessage {
  const { actor, resource } = event;
  const item = eventItem(event);
  const parameters: Facts = [
    ['eventId', item.id],
    ['kind', event.kind],
    ['event', event.event],
    ['severity', event.severity],
    ['result', event.result],
    ['actorType', actor?.type],
    ['user', actor?.name],
    ['role', actor?.role],
    ['src', event.source_ip],
    ['resourceType', resource?.type],
    ['resourceId', resource?.id],
    ['resource', resource?.name],
    ['requestId', event.request_id],
    ['error', event.error],
  ];
  return {
    severity: severities[event.severity],
    time: event.timestamp,
    id: event.event,
    parameters: given(parameters),
    content: format === 'json' ? item.ecs() : event.message,
  };
}

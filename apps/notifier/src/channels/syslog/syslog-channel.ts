import { hostname } from 'node:os';
import type { Alert } from '@portcullis/contracts/events';
import { syslogFacilities, type SyslogSettings } from '@portcullis/contracts/integration-settings';
import type { Severity } from '@portcullis/contracts/records';
import type { Secret } from '@portcullis/platform/config/secret';
import { version } from '@portcullis/platform/lifecycle/version';
import { refused } from '../../delivery/delivery-outcome.ts';
import type { SyslogServer } from '../../delivery/syslog-sender.ts';
import { readAlertFacts } from '../alert-facts.ts';
import type { Channel } from '../channel.ts';
import { channelAccepts } from '../channel-accepts.ts';
import { renderEcs } from '../siem/render-event.ts';
import { testAlert } from '../test-alert.ts';
import { renderMessage, type SyslogMessage } from './render-message.ts';

/** Of RFC 5424: critical, error, warning, notice. */
const severities: Readonly<Record<Severity, number>> = { Critical: 2, High: 3, Medium: 4, Low: 5 };

/** Servers that refuse a message say so by closing. A test waits longer, as nobody looks again whether it has arrived. */
const patienceMs = 100;
const testPatienceMs = 1_000;

/** Messages to a syslog server. */
export const syslogChannel: Channel<'syslog'> = {
  name: 'syslog',
  section: 'syslog',
  open({ settings, secret }, tools) {
    const { enabled, facility, app_name: appName, structured_data_id: structuredDataId } = settings;
    const key = secret('client_key');
    const missing = describeMissing(settings, key !== undefined);
    const server = serverOf(settings, key);
    const from = {
      facility: syslogFacilities.indexOf(facility),
      hostname: hostname(),
      appName,
      processId: String(process.pid),
      structuredDataId,
      version,
      maxBytes: settings.max_message_bytes,
    };
    const send = async (alert: Alert, patienceMs: number, signal: AbortSignal) => {
      if (missing !== undefined) return refused(null, missing);
      const messages = [renderMessage(describeAlert(alert, settings.message_format), from)];
      return tools.syslog.send({ server, messages, patienceMs }, signal);
    };
    return {
      enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => send(alert, patienceMs, signal),
      verify: (signal) => send(testAlert(), testPatienceMs, signal),
    };
  },
};

function describeMissing(
  { host, client_certificate: certificate }: SyslogSettings,
  hasKey: boolean,
): string | undefined {
  if (host === '') return 'No syslog server is set';
  if (certificate !== '' && !hasKey) return 'client_certificate has no client_key';
  return certificate === '' && hasKey ? 'client_key has no client_certificate' : undefined;
}

const serverOf = (settings: SyslogSettings, key: Secret | undefined): SyslogServer => {
  const { host, port, transport, verify_tls: verify, client_certificate: certificate } = settings;
  const client = key === undefined ? undefined : { certificate, key };
  return { host, port, tls: transport === 'tls' ? { verify, client } : undefined };
};

function describeAlert(alert: Alert, format: SyslogSettings['message_format']): SyslogMessage {
  const { title, description, evidence } = readAlertFacts(alert);
  const parameters: [string, string | number | null][] = [
    ['eventId', `portcullis-alert-${alert.id}`],
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
    ['evidence', evidence],
  ];
  return {
    severity: severities[alert.severity],
    time: alert.created_at,
    id: 'alert',
    parameters: parameters.flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)] as const],
    ),
    content: format === 'json' ? renderEcs(alert) : `${title}: ${description}`,
  };
}

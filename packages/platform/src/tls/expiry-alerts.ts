import type { AlertRecord, Severity } from '@portcullis/contracts/records';
import { alertUuid } from '../alerts/alert-uuid.ts';
import type { Database } from '../database/database.ts';
import { problemText } from '../errors/problem.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { Logger } from '../log/logger.ts';
import { renderJson } from '../spool/record-line.ts';
import { insertAlertRecords } from '../spool/record-inserts.ts';
import type { ExpiringCertificate, Tls } from './tls.ts';

interface ExpiryAlertOptions {
  readonly tls: Tls;
  readonly database: Database;
  readonly log: Logger;
  readonly intervalMs?: number;
}

const quarterHourMs = 900_000;

/**
 * Raises alerts for certificates that end soon: when 14, 7, 3 and 1 days are left and when one has ended, once each,
 * however many processes have it.
 */
export function startExpiryAlerts({
  tls,
  database,
  log,
  intervalMs = quarterHourMs,
}: ExpiryAlertOptions): AsyncDisposable {
  const raised = new Set<string>();
  const raise = async (): Promise<void> => {
    const alerts = tls.ending().map(renderExpiryAlert);
    const news = alerts.filter(({ event_id: id }) => !raised.has(id));
    if (news.length === 0) return;
    await insertAlertRecords(database.kysely, `[${news.map((alert) => renderJson(alert)).join(',')}]`);
    for (const { event_id: id, description } of news) {
      raised.add(id);
      log.warn(description);
    }
  };
  return runEvery(raise, {
    intervalMs,
    onFault: (error) =>
      void log.debug('The expiry of a certificate could not be reported', { problem: problemText(error) }),
  });
}

const steps: readonly (readonly [daysLeft: number, severity: Severity])[] = [
  [-1, 'Critical'],
  [1, 'High'],
  [3, 'High'],
  [7, 'Medium'],
  [14, 'Medium'],
];

export function renderExpiryAlert(ending: ExpiringCertificate): AlertRecord {
  const { name, subject, fingerprint, endsAt, daysLeft } = ending;
  const [step, severity] = steps.find(([days]) => daysLeft <= days) ?? [14, 'Medium'];
  const day = endsAt.toISOString().slice(0, 10);
  const hasEnded = daysLeft < 0;
  return {
    kind: 'alert',
    event_id: alertUuid(`certificate ${fingerprint} ${step}`),
    timestamp: new Date().toISOString(),
    request_id: null,
    severity,
    title: hasEnded ? 'TLS Certificate Has Ended' : 'TLS Certificate Ends Soon',
    description: hasEnded
      ? `The certificate ${subject} of ${name} ended on ${day}: clients refuse to connect.`
      : `The certificate ${subject} of ${name} ends on ${day}; put a new one in its place.`,
    action: 'Log',
    category: 'Other',
    proxy_id: null,
    proxy_type: null,
    source: 'gateway',
    target: name,
    rule_id: 'TLS_CERTIFICATE_ENDS',
    policy_name: 'gateway',
    user_identity: null,
    user_type: null,
    user_group: null,
    raw_data: { certificate: subject, fingerprint, ends_at: endsAt.toISOString() },
  };
}

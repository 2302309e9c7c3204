import { randomUUIDv7 } from 'node:crypto';
import type { AlertRecord } from '@portcullis/contracts/records';
import type { RejectedRecord } from './rejected-records.ts';

const minutely = 60_000;
const maxReasonLength = 500;

/**
 * Makes the alert about records that the database refused, at most one a minute. Answers undefined when there is
 * nothing to tell, or when it is alerts that were refused: reporting that by an alert would go on for ever.
 */
export function createRejectedAlerts(now: () => number = Date.now) {
  let alertedAt = Number.NEGATIVE_INFINITY;
  return (records: readonly RejectedRecord[]): AlertRecord | undefined => {
    const reported = records.filter(({ line }) => !line.includes('"kind":"alert"'));
    if (reported.length === 0 || now() - alertedAt < minutely) return undefined;
    alertedAt = now();
    return {
      kind: 'alert',
      event_id: randomUUIDv7(),
      timestamp: new Date(alertedAt).toISOString(),
      request_id: null,
      severity: 'High',
      title: 'Records were refused by the database',
      description:
        `${reported.length} records could not be stored and were set aside in rejected.jsonl of the spool. ` +
        'Statistics and budgets do not see them.',
      action: 'Log',
      category: 'Other',
      proxy_id: null,
      proxy_type: null,
      source: 'gateway',
      target: 'database',
      rule_id: 'RECORDS_REFUSED',
      policy_name: 'gateway',
      user_identity: null,
      user_type: null,
      user_group: null,
      raw_data: { records: reported.length, reason: reported[0]?.reason.slice(0, maxReasonLength) },
    };
  };
}

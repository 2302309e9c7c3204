import type { Alert, AlertDigest, OutgoingAlert } from '@portcullis/contracts/events';

const maxText = 2_000;
const maxEvidence = 500;

/** What every channel shows a person of an alert. Texts are cut to size and not escaped. */
export interface AlertFacts {
  /** At most 2,000 characters. */
  readonly title: string;
  readonly description: string;
  /** Short ones, in the order in which they are shown; none is empty. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** At most 500 characters; `-` without any. */
  readonly evidence: string;
}

export function readAlertFacts(alert: OutgoingAlert): AlertFacts {
  const { digest } = alert;
  const evidence = shown(truncate(describeEvidence(alert.raw_data), maxEvidence));
  const common = [
    ['Severity', alert.severity],
    ['Category', alert.category],
    ['Action Taken', alert.action],
    ['Source IP', digest === undefined || digest.sources === 1 ? shown(alert.source) : `${digest.sources} sources`],
  ] as const;
  const rule = ['Policy / Rule', shown(`${alert.policy_name} / ${alert.rule_id}`)] as const;
  if (digest === undefined) {
    return {
      title: truncate(alert.title, maxText),
      description: truncate(alert.description, maxText),
      fields: [
        ...common,
        ['User', describeUser(alert)],
        ['Target', shown(alert.target)],
        rule,
        ['Time', alert.created_at],
      ],
      evidence,
    };
  }
  return {
    title: truncate(`${digest.count} alerts: ${alert.title}`, maxText),
    description: truncate(describeDigest(digest, alert.description), maxText),
    fields: [...common, ['Alerts', String(digest.count)], ['First', digest.first_at], ['Last', digest.last_at], rule],
    evidence,
  };
}

/** What tells one message from another, for people: under it, they find the alert. */
export const alertLabel = ({ id, digest }: OutgoingAlert): string =>
  digest === undefined ? `Portcullis alert ${id}` : `Portcullis digest of ${digest.count} alerts, the latest is ${id}`;

const describeDigest = ({ count, examples }: AlertDigest, description: string): string =>
  [
    `${count} further alerts of this kind were gathered after those that came one by one. The latest of them:`,
    ...examples.map(
      ({ id, created_at: at, source, target, user_identity: user }) =>
        `${at} alert ${id}: ${truncate(shown(source), 60)} → ${truncate(shown(target), 80)}${user === null ? '' : `, ${truncate(user, 60)}`}`,
    ),
    truncate(description, 800),
  ].join('\n');

/** Discord refuses what is nothing but spaces. */
const shown = (text: string): string => (text.trim() === '' ? '-' : truncate(text, maxText));

/** Who it was, as far as the gateway knows: the key and its group. */
function describeUser({ user_identity: identity, user_type: type, user_group: group }: Alert): string {
  if (identity === null) return 'unknown';
  const kind = type === null ? '' : ` (${type})`;
  return shown(`${identity}${kind}${group === null ? '' : `, group ${group}`}`);
}

/** The evidence of each finding, or the raw data as it is when it holds no findings. */
function describeEvidence(rawData: Alert['raw_data']): string {
  const findings: readonly unknown[] = Array.isArray(rawData['findings']) ? rawData['findings'] : [];
  const evidence = findings.flatMap((finding) =>
    typeof finding === 'object' && finding !== null && 'evidence' in finding ? [String(finding.evidence)] : [],
  );
  if (evidence.length > 0) return evidence.join('\n');
  return Object.keys(rawData).length === 0 ? '' : JSON.stringify(rawData);
}

/** Cuts to so many characters, never within one. */
export function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/** On one line: control characters would end a header or a line of a log, or move the cursor of who reads it. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

import type { Alert } from '@portcullis/contracts/events';
import type { Severity } from '@portcullis/contracts/records';
import { escapeChatText, type ChatField, type ChatMessage } from './chat-message.ts';

const colors: Readonly<Record<Severity, string>> = {
  Critical: '#b71c1c',
  High: '#e65100',
  Medium: '#f9a825',
  Low: '#1565c0',
};
const maxEvidence = 500;
const maxText = 2_000;

/** Renders an alert for the chat. `channel` empty: the webhook's own. */
export function renderAlertMessage(alert: Alert, channel: string): ChatMessage {
  const heading = `AI Security Alert - ${alert.severity}`;
  const title = escapeChatText(`Security Alert: ${truncate(alert.title, maxText)}`);
  return {
    text: heading,
    username: 'Portcullis',
    ...(channel !== '' && { channel }),
    attachments: [
      {
        fallback: `${heading}: ${title}`,
        color: colors[alert.severity],
        title,
        text: escapeChatText(truncate(alert.description, maxText)),
        fields: renderFields(alert),
        footer: `Portcullis alert ${alert.id}`,
        ts: Math.floor(Date.parse(alert.created_at) / 1_000),
      },
    ],
  };
}

function renderFields(alert: Alert): readonly ChatField[] {
  return [
    field('Severity', alert.severity),
    field('Category', alert.category),
    field('Action Taken', alert.action),
    field('Source IP', alert.source),
    field('User', describeUser(alert)),
    field('Target', alert.target),
    field('Policy / Rule', `${alert.policy_name} / ${alert.rule_id}`),
    field('Time', alert.created_at),
    { ...field('Evidence', truncate(describeEvidence(alert.raw_data), maxEvidence)), short: false },
  ];
}

const field = (title: string, value: string): ChatField => ({
  title,
  value: escapeChatText(truncate(value === '' ? '-' : value, maxText)),
  short: true,
});

/** Who it was, as far as the gateway knows: the key and its group. */
function describeUser({ user_identity: identity, user_type: type, user_group: group }: Alert): string {
  if (identity === null) return 'unknown';
  const kind = type === null ? '' : ` (${type})`;
  return `${identity}${kind}${group === null ? '' : `, group ${group}`}`;
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
function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

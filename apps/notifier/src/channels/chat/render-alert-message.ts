import type { OutgoingAlert } from '@portcullis/contracts/events';
import { alertLabel, readAlertFacts } from '../alert-facts.ts';
import { severityColors } from '../severity-colors.ts';
import { escapeChatText, type ChatField, type ChatMessage } from './chat-message.ts';

/** Renders an alert for Slack and Mattermost. `channel` empty: the webhook's own. */
export function renderAlertMessage(alert: OutgoingAlert, channel: string): ChatMessage {
  const facts = readAlertFacts(alert);
  const heading = `AI Security Alert - ${alert.severity}`;
  const title = escapeChatText(`Security Alert: ${facts.title}`);
  return {
    text: heading,
    username: 'Portcullis',
    ...(channel !== '' && { channel }),
    attachments: [
      {
        fallback: `${heading}: ${title}`,
        color: severityColors[alert.severity],
        title,
        text: escapeChatText(facts.description),
        fields: [
          ...facts.fields.map(([name, value]) => field(name, value)),
          { ...field('Evidence', facts.evidence), short: false },
        ],
        footer: alertLabel(alert),
        ts: Math.floor(Date.parse(alert.created_at) / 1_000),
      },
    ],
  };
}

const field = (title: string, value: string): ChatField => ({ title, value: escapeChatText(value), short: true });

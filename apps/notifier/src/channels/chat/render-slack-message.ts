import { severityColors } from '../severity-colors.ts';
import { escapeChatText, type ChatField, type ChatMessage } from './chat-message.ts';
import type { Notice } from './notice.ts';

/** Renders a notice for Slack and Mattermost. `channel` empty: the webhook's own. */
export function renderSlackMessage(notice: Notice, channel: string): ChatMessage {
  const title = escapeChatText(`${notice.label}: ${notice.title}`);
  return {
    text: notice.heading,
    username: 'Portcullis',
    ...(channel !== '' && { channel }),
    attachments: [
      {
        fallback: `${notice.heading}: ${title}`,
        color: severityColors[notice.severity],
        title,
        text: escapeChatText(notice.description),
        fields: [
          ...notice.fields.map(([name, value]) => field(name, value)),
          ...(notice.evidence === undefined ? [] : [{ ...field('Evidence', notice.evidence), short: false }]),
        ],
        footer: notice.footer,
        ts: Math.floor(Date.parse(notice.time) / 1_000),
      },
    ],
  };
}

const field = (title: string, value: string): ChatField => ({ title, value: escapeChatText(value), short: true });

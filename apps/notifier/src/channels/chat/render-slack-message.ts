import { severityColors } from '../shared/severity-colors.ts';
import { escapeChatText, type ChatField, type ChatMessage } from './chat-message.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import type { Notice } from './notice.ts';

type Escape = (text: string) => string;

/** Renders a notice for Slack. `channel` empty: the webhook's own. */
export const renderSlackMessage = (notice: Notice, channel: string): ChatMessage =>
  renderMessage(notice, channel, escapeChatText);

/** Mattermost makes links of addresses, too, which Slack shows with their host. */
const escapeForMattermost: Escape = (text) =>
  escapeMarkdown(text.replaceAll(/:\/\/|\bwww\./gi, (start) => `${start.charAt(0)}\u200B${start.slice(1)}`));

/** The same for Mattermost, which takes messages in that shape and reads Markdown in them. */
export const renderMattermostMessage = (notice: Notice, channel: string): ChatMessage =>
  renderMessage(notice, channel, escapeForMattermost);

function renderMessage(notice: Notice, channel: string, escape: Escape): ChatMessage {
  const field = (title: string, value: string): ChatField => ({ title, value: escape(value), short: true });
  const title = escape(`${notice.label}: ${notice.title}`);
  return {
    text: notice.heading,
    username: 'Portcullis',
    ...(channel !== '' && { channel }),
    attachments: [
      {
        fallback: `${notice.heading}: ${title}`,
        color: severityColors[notice.severity],
        title,
        ...(notice.url !== undefined && { title_link: notice.url }),
        text: escape(notice.description),
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

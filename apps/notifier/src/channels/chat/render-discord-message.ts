import { truncate } from '../shared/alert-facts.ts';
import { severityColors } from '../shared/severity-colors.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import type { Notice } from './notice.ts';

/** A message to a webhook of Discord. */
export interface DiscordMessage {
  readonly username: string;
  readonly content?: string;
  readonly embeds?: readonly DiscordEmbed[];
  /** Texts of strangers are in it: none of them may call anyone. */
  readonly allowed_mentions: { readonly parse: readonly string[] };
}

interface DiscordEmbed {
  readonly title: string;
  readonly url?: string;
  readonly description?: string;
  /** 24 bits of red, green and blue. */
  readonly color: number;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[];
  readonly footer: { readonly text: string };
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Discord refuses more, and more than 6,000 characters in all. */
const max = { title: 256, description: 1_500, value: 300, evidence: 1_000 };

export const discordText = (content: string): DiscordMessage => ({
  username: 'Portcullis',
  content,
  allowed_mentions: { parse: [] },
});

export function renderDiscordMessage(notice: Notice): DiscordMessage {
  const text = (value: string, length: number): string => truncate(escapeMarkdown(value), length);
  return {
    username: 'Portcullis',
    embeds: [
      {
        title: text(`${notice.heading}: ${notice.title}`, max.title),
        ...(notice.url !== undefined && { url: notice.url }),
        ...(notice.description.trim() !== '' && { description: text(notice.description, max.description) }),
        color: Number.parseInt(severityColors[notice.severity].slice(1), 16),
        fields: [
          ...notice.fields.map(([name, value]) => ({ name, value: text(value, max.value), inline: true })),
          ...(notice.evidence === undefined
            ? []
            : [{ name: 'Evidence', value: text(notice.evidence, max.evidence), inline: false }]),
        ],
        footer: { text: notice.footer },
        timestamp: notice.time,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** A message to an incoming webhook, in the shape that Slack defined and other chats read. */
export interface ChatMessage {
  readonly text: string;
  /** Overrides the webhook's own channel where the chat allows it. */
  readonly channel?: string;
  readonly username?: string;
  readonly attachments?: readonly ChatAttachment[];
}

export interface ChatAttachment {
  /** For clients that show no attachments, and for notifications. */
  readonly fallback: string;
  readonly color: string;
  readonly title: string;
  readonly text: string;
  readonly fields: readonly ChatField[];
  readonly footer: string;
  /** Unix seconds. */
  readonly ts: number;
}

export interface ChatField {
  readonly title: string;
  readonly value: string;
  /** Short fields stand side by side. */
  readonly short: boolean;
}

/** Text that the chat shows as it is: without escaping, `<!channel>` would call a whole channel and `<url|text>` be a link. */
export const escapeChatText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

import type { ChatWebhookSettings } from '@portcullis/contracts/integration-settings';
import { Secret } from '@portcullis/platform/config/secret';
import type { Channel } from '../shared/channel.ts';
import { channelAccepts } from '../shared/channel-accepts.ts';
import { createMessagePoster } from '../shared/message-poster.ts';
import { renderAlertNotice, renderEventNotice, type Notice } from './notice.ts';
import { discordText, renderDiscordMessage } from './render-discord-message.ts';
import { renderMattermostMessage, renderSlackMessage } from './render-slack-message.ts';
import { renderTeamsMessage, teamsText } from './render-teams-message.ts';

const testText = 'AI Security Alert - Test\nThis is a test message. Alerts of the gateway will arrive here.';

interface ChatForm {
  notice(notice: Notice, channel: string): object;
  test(channel: string): object;
}

const slack: ChatForm = {
  notice: renderSlackMessage,
  test: (channel) => ({ text: testText, username: 'Portcullis', ...(channel !== '' && { channel }) }),
};

const forms: Readonly<Record<ChatWebhookSettings['format'], ChatForm>> = {
  slack,
  mattermost: { ...slack, notice: renderMattermostMessage },
  discord: { notice: renderDiscordMessage, test: () => discordText(testText) },
  teams: { notice: renderTeamsMessage, test: () => teamsText(testText) },
};

/** Incoming webhooks of chats. */
export const chatChannel: Channel<'chat_webhook'> = {
  name: 'chat',
  section: 'chat_webhook',
  open({ settings, secret }, { http }) {
    const { enabled, channel, format } = settings;
    const url = secret('webhook_url');
    const missing = url === undefined ? 'No chat webhook URL is set' : undefined;
    const post = createMessagePoster(http, missing, (message: object) => ({
      name: 'chat',
      url: url ?? new Secret(''),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    }));
    const form = forms[format];
    return {
      enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => post(form.notice(renderAlertNotice(alert), channel), signal),
      events: {
        accepts: ({ kind }) => settings.events.some((sent) => sent === kind),
        send: (event, signal) => post(form.notice(renderEventNotice(event), channel), signal),
      },
      verify: (signal) => post(form.test(channel), signal),
    };
  },
};

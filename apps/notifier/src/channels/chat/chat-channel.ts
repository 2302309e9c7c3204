import type { ChatMessage } from './chat-message.ts';
import type { Channel } from '../channel.ts';
import { channelAccepts } from '../channel-accepts.ts';
import { renderAlertMessage } from './render-alert-message.ts';

const testMessage: ChatMessage = {
  text: 'AI Security Alert - Test\nThis is a test message. Alerts of the gateway will arrive here.',
  username: 'Portcullis',
};

/** Incoming webhooks of chats. */
export const chatChannel: Channel<'chat_webhook'> = {
  name: 'chat',
  section: 'chat_webhook',
  open({ settings, secret }, { http }) {
    const { enabled, channel } = settings;
    const url = secret('webhook_url');
    const missing = url === undefined ? 'No chat webhook URL is set' : undefined;
    const post = async (message: ChatMessage, signal: AbortSignal) =>
      url === undefined
        ? ({ kind: 'refused', status: null, reason: 'No chat webhook URL is set' } as const)
        : http.post(
            {
              name: 'chat',
              url,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(message),
            },
            signal,
          );
    return {
      enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => post(renderAlertMessage(alert, channel), signal),
      verify: (signal) => post({ ...testMessage, ...(channel !== '' && { channel }) }, signal),
    };
  },
};

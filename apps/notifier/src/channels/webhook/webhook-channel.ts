import { randomUUID } from 'node:crypto';
import type { OutgoingAlert } from '@portcullis/contracts/events';
import { Secret } from '@portcullis/platform/config/secret';
import type { Channel } from '../shared/channel.ts';
import { channelAccepts } from '../shared/channel-accepts.ts';
import { createMessagePoster } from '../shared/message-poster.ts';
import { testAlert } from '../shared/test-alert.ts';
import { signMessage } from './sign-message.ts';

interface Message {
  readonly id: string;
  /** `alert.created`, `alert.digest`, `test`, or the name of an event. */
  readonly type: string;
  readonly data: object;
}

/** A digest has its latest alert beside it, so that what it is about can be read there. */
const messageOf = ({ digest, ...alert }: OutgoingAlert): Message =>
  digest === undefined
    ? { id: `alert_${alert.id}`, type: 'alert.created', data: alert }
    : { id: `digest_${digest.id}`, type: 'alert.digest', data: { ...digest, alert } };

/** Alerts, and events where they are wanted, as JSON to a receiver of the admins' own, signed. */
export const webhookChannel: Channel<'webhook'> = {
  name: 'webhook',
  section: 'webhook',
  open({ settings, secret }, { http }) {
    const { enabled, url } = settings;
    const key = secret('signing_secret');
    const missing = url === '' ? 'No URL is set' : key === undefined ? 'No signing secret is set' : undefined;
    const post = createMessagePoster(http, missing, ({ id, type, data }: Message) => {
      const now = new Date();
      const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
      const timestamp = Math.floor(now.getTime() / 1_000);
      return {
        name: 'webhook',
        url: new Secret(url),
        headers: {
          'content-type': 'application/json',
          ...(key !== undefined && signMessage({ id, body, timestamp }, key)),
        },
        body,
      };
    });
    return {
      enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => post(messageOf(alert), signal),
      events: {
        accepts: ({ kind }) => settings.events.includes(kind),
        send: (event, signal) => post({ id: `event_${event.id}`, type: event.event, data: event }, signal),
      },
      verify: (signal) => post({ id: `test_${randomUUID()}`, type: 'test', data: testAlert() }, signal),
    };
  },
};

import type { OutgoingAlert } from '@portcullis/contracts/events';
import type { EmailSettings } from '@portcullis/contracts/integration-settings';
import type { OutgoingMail } from '../../senders/mail-sender.ts';
import { refused, type DeliveryOutcome } from '../../senders/delivery-outcome.ts';
import type { Channel } from '../shared/channel.ts';
import { channelAccepts } from '../shared/channel-accepts.ts';
import { renderAlertMail, testMail, type Mail } from './render-alert-mail.ts';

/** One mail for each alert. */
export const emailChannel: Channel<'email'> = {
  name: 'email',
  section: 'email',
  open({ settings, secret }, { mail }) {
    const { enabled, host, port, username, from_address: from } = settings;
    const password = secret('password');
    const missing = describeMissing(settings, password !== undefined);
    const login = username === '' || password === undefined ? undefined : { username, password };
    const to = settings.recipients.split(',').map((recipient) => recipient.trim());
    const post = async (message: Mail, id: string, signal: AbortSignal): Promise<DeliveryOutcome> =>
      missing === undefined
        ? mail.send({ host, port, tls: tlsOf(settings), login, from, to, id, ...message }, signal)
        : refused(null, missing);
    return {
      enabled,
      missing,
      audited: 'email_sent',
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => post(renderAlertMail(alert, settings.format), messageId(alert), signal),
      verify: (signal) => post(testMail, `test-${Date.now()}`, signal),
    };
  },
};

const implicitTlsPort = 465;

const tlsOf = ({ use_tls: useTls, port }: EmailSettings): OutgoingMail['tls'] =>
  useTls ? (port === implicitTlsPort ? 'implicit' : 'starttls') : 'none';

/** The same for each attempt, so that mailboxes show a mail that comes twice once. */
const messageId = ({ id, created_at: createdAt, digest }: OutgoingAlert): string =>
  digest === undefined ? `alert-${id}-${Date.parse(createdAt)}` : `digest-${digest.id}`;

function describeMissing(settings: EmailSettings, hasPassword: boolean): string | undefined {
  const { host, from_address: from, recipients, username, use_tls: useTls } = settings;
  if (host === '') return 'No SMTP server is set';
  if (from === '') return 'No sender is set';
  if (recipients === '') return 'No recipients are set';
  if (username === '') return undefined;
  if (!hasPassword) return 'The user name has no password';
  return useTls ? undefined : 'A user name and its password are only sent over TLS';
}

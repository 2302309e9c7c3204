import { hostname } from 'node:os';
import { syslogFacilities, type SyslogSettings } from '@portcullis/contracts/integration-settings';
import type { Secret } from '@portcullis/platform/config/secret';
import { version } from '@portcullis/platform/process/version';
import { refused } from '../../senders/delivery-outcome.ts';
import type { SyslogServer } from '../../senders/syslog-sender.ts';
import { createBatcher } from '../../senders/batcher.ts';
import { batchConcurrency, type Channel } from '../shared/channel.ts';
import { channelAccepts } from '../shared/channel-accepts.ts';
import { testAlert } from '../shared/test-alert.ts';
import { describeAlert, describeEvent } from './describe-message.ts';
import { renderMessage, type SyslogMessage } from './render-message.ts';

/** Servers that refuse a message say so by closing. A test waits longer, as nobody looks again whether it has arrived. */
const rejectionWaitMs = 100;
const testRejectionWaitMs = 1_000;
/** Of one connection. */
const batches = { maxItems: 200, maxBytes: 1_000_000, lingerMs: 50, maxConcurrent: 2 };

/** Messages to a syslog server. */
export const syslogChannel: Channel<'syslog'> = {
  name: 'syslog',
  section: 'syslog',
  concurrency: batchConcurrency,
  open({ settings, secret }, tools) {
    const { enabled, facility, app_name: appName, structured_data_id: structuredDataId } = settings;
    const { message_format: format } = settings;
    const key = secret('client_key');
    const missing = describeMissing(settings, key !== undefined);
    const server = serverOf(settings, key);
    const from = {
      facility: syslogFacilities.indexOf(facility),
      hostname: hostname(),
      appName,
      processId: String(process.pid),
      structuredDataId,
      version,
      maxBytes: settings.max_message_bytes,
    };
    const sendBatch = (messages: readonly Buffer[], rejectionWaitMs: number, signal: AbortSignal) =>
      tools.syslog.send({ server, messages, rejectionWaitMs }, signal);
    const sendBatched = createBatcher({
      ...batches,
      bytesOf: (message: Buffer) => message.length,
      send: async (messages, signal) => {
        const outcome = await sendBatch(messages, rejectionWaitMs, signal);
        return messages.map(() => outcome);
      },
    });
    const send = async (message: SyslogMessage, signal: AbortSignal) =>
      missing === undefined ? sendBatched(renderMessage(message, from), signal) : refused(null, missing);
    return {
      enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => send(describeAlert(alert, format), signal),
      events: {
        accepts: ({ kind }) => settings.events.includes(kind),
        send: (event, signal) => send(describeEvent(event, format), signal),
      },
      verify: async (signal) =>
        missing === undefined
          ? sendBatch([renderMessage(describeAlert(testAlert(), format), from)], testRejectionWaitMs, signal)
          : refused(null, missing),
    };
  },
};

function describeMissing(
  { host, client_certificate: certificate }: SyslogSettings,
  hasKey: boolean,
): string | undefined {
  if (host === '') return 'No syslog server is set';
  if (certificate !== '' && !hasKey) return 'client_certificate has no client_key';
  return certificate === '' && hasKey ? 'client_key has no client_certificate' : undefined;
}

const serverOf = (settings: SyslogSettings, key: Secret | undefined): SyslogServer => {
  const { host, port, transport, verify_tls: verify, client_certificate: certificate } = settings;
  const client = key === undefined ? undefined : { certificate, key };
  return { host, port, tls: transport === 'tls' ? { verify, client } : undefined };
};

import { batchConcurrency, type Channel } from '../shared/channel.ts';
import { channelAccepts } from '../shared/channel-accepts.ts';
import { testAlert } from '../shared/test-alert.ts';
import { alertItem } from './render-alert.ts';
import { eventItem } from './render-event.ts';
import { createSiemSender } from './send-batch.ts';

/** Events to a SIEM over HTTP. */
export const siemChannel: Channel<'siem'> = {
  name: 'siem',
  section: 'siem',
  concurrency: batchConcurrency,
  open({ settings, secret }, { http }) {
    const { enabled } = settings;
    const key = secret('api_key');
    const missing = describeMissing(settings, key !== undefined);
    const send = createSiemSender({ http, settings, key, missing });
    return {
      enabled,
      missing,
      accepts: (alert) => channelAccepts(settings, alert),
      send: (alert, signal) => send(alertItem(alert), signal),
      events: {
        accepts: ({ kind }) => settings.events.includes(kind),
        send: (event, signal) => send(eventItem(event), signal),
      },
      verify: (signal) => send(alertItem(testAlert()), signal),
    };
  },
};

function describeMissing(
  { endpoint, format, index }: { readonly endpoint: string; readonly format: string; readonly index: string },
  hasKey: boolean,
): string | undefined {
  if (endpoint === '') return 'No endpoint of a SIEM is set';
  if (format !== 'json' && !hasKey) return 'No API key of the SIEM is set';
  return format === 'elastic' && index === '' ? 'No index is set' : undefined;
}

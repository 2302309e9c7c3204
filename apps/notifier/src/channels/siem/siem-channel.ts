import { Secret } from '@portcullis/platform/config/secret';
import type { Channel } from '../channel.ts';
import { channelAccepts } from '../channel-accepts.ts';
import { postThrough } from '../post-through.ts';
import { testAlert } from '../test-alert.ts';
import { alertItem } from './render-alert.ts';
import { eventItem } from './render-event.ts';
import { siemFormats } from './siem-formats.ts';
import type { SiemItem } from './siem-item.ts';

/** Events to a SIEM over HTTP. */
export const siemChannel: Channel<'siem'> = {
  name: 'siem',
  section: 'siem',
  open({ settings, secret }, { http }) {
    const { enabled, endpoint, index, verify_tls: verifyTls } = settings;
    const format = siemFormats[settings.format];
    const key = secret('api_key');
    const missing = describeMissing(settings, key !== undefined);
    const send = postThrough(http, missing, (item: SiemItem) => ({
      name: 'SIEM',
      url: new Secret(format.url(endpoint)),
      headers: { 'content-type': format.contentType, ...(key !== undefined && format.authorize(key.reveal())) },
      body: format.render(item, index),
      verifyTls,
      ...(format.findError !== undefined && { findError: format.findError }),
      ...(format.readProblem !== undefined && { readProblem: format.readProblem }),
    }));
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

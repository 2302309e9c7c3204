import type { IncomingMessage } from 'node:http';

const host = /^(?:[a-z\d](?:[a-z\d.-]{0,252})|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Scheme, host and port that a client says it called. It may say anything, so only its own answer may depend on it. */
export function calledOriginOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const scheme = first(headers['x-forwarded-proto']) ?? ('encrypted' in socket ? 'https' : 'http');
  const name = first(headers['x-forwarded-host']) ?? headers.host ?? '';
  return `${scheme === 'https' ? 'https' : 'http'}://${host.test(name) ? name : 'localhost'}`;
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

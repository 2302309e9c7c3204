import type { Request } from 'express';

const host = /^(?:[a-z\d](?:[a-z\d.-]{0,252})|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Scheme, host and port that a client says it called. It may say anything, so only its own answer may depend on it. */
export function calledOriginOf(request: Request): string {
  const scheme = request.get('x-forwarded-proto') ?? request.protocol;
  const name = request.get('x-forwarded-host') ?? request.get('host') ?? '';
  return `${scheme === 'https' ? 'https' : 'http'}://${host.test(name) ? name : 'localhost'}`;
}

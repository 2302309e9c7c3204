import { GatewayError } from './gateway-error.ts';

/** Where a list goes on, as clients get it: they are to give it back, not to read it. */
export const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url');

export const decodeCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

export const unknownCursor = (): GatewayError =>
  new GatewayError('bad_request', {
    problems: [{ path: '/query/cursor', rule: 'must be the next_cursor of the page before, in the same order' }],
  });

import { GatewayError } from '@portcullis/platform/http/gateway-error';

/** Where a list goes on: behind the request of this time and event. */
export interface RequestPosition {
  readonly timestamp: Date;
  readonly eventId: string;
}

const positionFormat = /^t\.(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const offsetFormat = /^n\.(\d{1,5})$/;

export const renderPosition = ({ timestamp, eventId }: RequestPosition): string =>
  encode(`t.${timestamp.getTime()}.${eventId}`);

/** Of a list that is ordered by cost: how many come before. */
export const renderOffset = (offset: number): string => encode(`n.${offset}`);

/** @throws {GatewayError} for a cursor that no page by time has given */
export function parsePositionOrThrow(cursor: string): RequestPosition {
  const [, timestamp, eventId] = positionFormat.exec(decode(cursor)) ?? [];
  if (timestamp === undefined || eventId === undefined) throw unknownCursor();
  return { timestamp: new Date(Number(timestamp)), eventId };
}

/** @throws {GatewayError} for a cursor that no page by cost has given */
export function parseOffsetOrThrow(cursor: string): number {
  const [, offset] = offsetFormat.exec(decode(cursor)) ?? [];
  if (offset === undefined) throw unknownCursor();
  return Number(offset);
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

const unknownCursor = (): GatewayError =>
  new GatewayError('bad_request', {
    problems: [{ path: '/query/cursor', rule: 'must be the next_cursor of the page before, in the same order' }],
  });

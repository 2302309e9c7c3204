import { GatewayError } from '@portcullis/platform/http/gateway-error';

/** Where a list goes on: behind the request of this time and event. */
export interface RequestPosition {
  readonly timestamp: Date;
  readonly eventId: string;
}

/** Of a list that is ordered by cost. What is recorded while somebody reads it moves no page. */
export interface CostPosition extends RequestPosition {
  readonly costMicroUsd: number;
}

/** Up to the year 5138: PostgreSQL reads years of four digits. */
const place = /(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/.source;
const positionFormat = new RegExp(`^t\\.${place}$`);
const costFormat = new RegExp(`^c\\.(\\d{1,15})\\.${place}$`);

export const renderPosition = ({ timestamp, eventId }: RequestPosition): string =>
  encode(`t.${timestamp.getTime()}.${eventId}`);

export const renderCostPosition = ({ costMicroUsd, timestamp, eventId }: CostPosition): string =>
  encode(`c.${costMicroUsd}.${timestamp.getTime()}.${eventId}`);

/** @throws {GatewayError} for a cursor that no page by time has given */
export function parsePositionOrThrow(cursor: string): RequestPosition {
  const [, timestamp, eventId] = positionFormat.exec(decode(cursor)) ?? [];
  if (timestamp === undefined || eventId === undefined) throw unknownCursor();
  return { timestamp: new Date(Number(timestamp)), eventId };
}

/** @throws {GatewayError} for a cursor that no page by cost has given */
export function parseCostPositionOrThrow(cursor: string): CostPosition {
  const [, cost, timestamp, eventId] = costFormat.exec(decode(cursor)) ?? [];
  if (timestamp === undefined || eventId === undefined) throw unknownCursor();
  return { costMicroUsd: Number(cost), timestamp: new Date(Number(timestamp)), eventId };
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

const unknownCursor = (): GatewayError =>
  new GatewayError('bad_request', {
    problems: [{ path: '/query/cursor', rule: 'must be the next_cursor of the page before, in the same order' }],
  });

import { decodeCursor, encodeCursor, unknownCursor } from '@portcullis/platform/http/cursor';

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
  encodeCursor(`t.${timestamp.getTime()}.${eventId}`);

export const renderCostPosition = ({ costMicroUsd, timestamp, eventId }: CostPosition): string =>
  encodeCursor(`c.${costMicroUsd}.${timestamp.getTime()}.${eventId}`);

/** @throws {GatewayError} for a cursor that no page by time has given */
export function parsePositionOrThrow(cursor: string): RequestPosition {
  const [, timestamp, eventId] = positionFormat.exec(decodeCursor(cursor)) ?? [];
  if (timestamp === undefined || eventId === undefined) throw unknownCursor();
  return { timestamp: new Date(Number(timestamp)), eventId };
}

/** @throws {GatewayError} for a cursor that no page by cost has given */
export function parseCostPositionOrThrow(cursor: string): CostPosition {
  const [, cost, timestamp, eventId] = costFormat.exec(decodeCursor(cursor)) ?? [];
  if (timestamp === undefined || eventId === undefined) throw unknownCursor();
  return { costMicroUsd: Number(cost), timestamp: new Date(Number(timestamp)), eventId };
}

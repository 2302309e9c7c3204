import { decodeCursor, encodeCursor, unknownCursor } from '@portcullis/platform/http/cursor';

/** Where a list of sessions goes on: behind the one that began then. */
export interface SessionPosition {
  readonly startedAt: Date;
  readonly id: string;
  /** Of a list that is ordered by cost. */
  readonly costMicroUsd?: number;
}

const format = /^s\.(?:(\d{1,15})\.)?(\d{1,14})\.([\w-]{1,64})$/;

export const renderSessionPosition = ({ startedAt, id, costMicroUsd }: SessionPosition): string =>
  encodeCursor(`s.${costMicroUsd === undefined ? '' : `${costMicroUsd}.`}${startedAt.getTime()}.${id}`);

/** @throws {GatewayError} for a cursor that no page in this order has given */
export function parseSessionPositionOrThrow(cursor: string, order: 'start' | 'cost'): SessionPosition {
  const [, cost, startedAt, id] = format.exec(decodeCursor(cursor)) ?? [];
  if (startedAt === undefined || id === undefined || (cost === undefined) !== (order === 'start'))
    throw unknownCursor();
  const position = { startedAt: new Date(Number(startedAt)), id };
  return cost === undefined ? position : { ...position, costMicroUsd: Number(cost) };
}

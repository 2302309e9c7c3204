import type { Problem } from '@portcullis/contracts/envelope';
import type { SpendDimension, SpendQuery } from '@portcullis/contracts/routes/spend';
import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { parseTimeWindow } from '../alerts/time-window.ts';

export type SpendUnit = 'day' | 'hour' | 'record';

export interface SpendWindow {
  readonly from: Date;
  /** The first moment that is not counted; undefined: until now. */
  readonly to: Date | undefined;
  /** What can tell: the sums of a day know no person and no hour, those of an hour no session. */
  readonly unit: SpendUnit;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxDays: Readonly<Record<SpendUnit, number>> = { day: 400, hour: 92, record: 92 };
const unitMs: Readonly<Record<SpendUnit, number>> = { day: dayMs, hour: hourMs, record: hourMs };

type PeriodQuery = Pick<SpendQuery, 'date_from' | 'date_to' | 'time_range' | 'hours'>;

/** The period of a query, rounded to what is counted in one. @throws {GatewayError} for one that is too long, or no period */
export const parseSpendWindowOrThrow = (
  query: PeriodQuery & Pick<SpendQuery, 'user'>,
  dimensions: readonly SpendDimension[],
  now: Date,
): SpendWindow => parseWindowOrThrow(query, (times) => unitOf(query.user, dimensions, times), now);

/** The same for what no sums are kept of. @throws {GatewayError} */
export const parseRecordWindowOrThrow = (query: PeriodQuery, now: Date): SpendWindow =>
  parseWindowOrThrow(query, () => 'record', now);

/** The same in whole days. @throws {GatewayError} */
export const parseDayWindowOrThrow = (query: PeriodQuery, now: Date): SpendWindow =>
  parseWindowOrThrow(query, () => 'day', now);

const whyNotLonger: Readonly<Record<SpendUnit, string>> = {
  day: '',
  hour: ', where users or parts of days are told apart',
  record: ', where records are added up',
};

function parseWindowOrThrow(
  query: PeriodQuery,
  findUnit: (times: readonly (Date | undefined)[]) => SpendUnit,
  now: Date,
): SpendWindow {
  const problems: Problem[] = [];
  const given = parseTimeWindow(query, now, problems);
  const to = given.to !== undefined && given.to < now ? given.to : undefined;
  const from = given.from ?? budgetMonth(to === undefined ? now : new Date(to.getTime() - 1)).start;
  const unit = findUnit([from, to]);
  if ((to ?? now).getTime() - from.getTime() > maxDays[unit] * dayMs) {
    const rule = `must be at most ${maxDays[unit]} days before the end${whyNotLonger[unit]}`;
    problems.push({ path: '/query/date_from', rule });
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return {
    from: new Date(Math.floor(from.getTime() / unitMs[unit]) * unitMs[unit]),
    to: to && new Date(Math.ceil(to.getTime() / unitMs[unit]) * unitMs[unit]),
    unit,
  };
}

function unitOf(
  user: string | undefined,
  dimensions: readonly SpendDimension[],
  times: readonly (Date | undefined)[],
): SpendUnit {
  if (dimensions.includes('session')) return 'record';
  const areDays = times.every((time) => time === undefined || time.getTime() % dayMs === 0);
  const needsHours = user !== undefined || dimensions.includes('user') || dimensions.includes('hour');
  return areDays && !needsHours ? 'day' : 'hour';
}

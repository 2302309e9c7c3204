import type { Problem } from '@portcullis/contracts/envelope';
import type { SpendDimension, SpendQuery } from '@portcullis/contracts/routes/spend';
import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { parseTimeWindow } from '../alerts/time-window.ts';

export interface SpendWindow {
  readonly from: Date;
  /** The first moment that is not counted; undefined: until now. */
  readonly to: Date | undefined;
  /** The sums that can tell: those of a day know no person, and no hour. */
  readonly unit: 'day' | 'hour';
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxDays = { day: 400, hour: 92 } as const;

/** The period of a query, rounded to what is counted in one. @throws {GatewayError} for one that is too long, or no period */
export function parseSpendWindowOrThrow(
  query: Pick<SpendQuery, 'user' | 'date_from' | 'date_to' | 'time_range' | 'hours'>,
  dimensions: readonly SpendDimension[],
  now: Date,
): SpendWindow {
  const problems: Problem[] = [];
  const given = parseTimeWindow(query, now, problems);
  const to = given.to !== undefined && given.to < now ? given.to : undefined;
  const from = given.from ?? budgetMonth(to === undefined ? now : new Date(to.getTime() - 1)).start;
  const knowsDays = [from, to].every((time) => time === undefined || time.getTime() % dayMs === 0);
  const needsHours = query.user !== undefined || dimensions.includes('user') || dimensions.includes('hour');
  const unit = knowsDays && !needsHours ? 'day' : 'hour';
  if ((to ?? now).getTime() - from.getTime() > maxDays[unit] * dayMs) {
    const why = unit === 'hour' ? ', where users or parts of days are told apart' : '';
    problems.push({ path: '/query/date_from', rule: `must be at most ${maxDays[unit]} days before the end${why}` });
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  const unitMs = unit === 'day' ? dayMs : hourMs;
  return {
    from: new Date(Math.floor(from.getTime() / unitMs) * unitMs),
    to: to && new Date(Math.ceil(to.getTime() / unitMs) * unitMs),
    unit,
  };
}

import type { Problem } from '@portcullis/contracts/envelope';
import type { AlertTimes } from '@portcullis/contracts/routes/alerts';

/** Times from `from` on and before `to`; what is absent does not restrict. */
export interface TimeWindow {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Several of the fields restrict together. Pushes what is wrong with them onto `problems`. */
export function parseTimeWindow(query: AlertTimes, now: Date, problems: Problem[], path = '/query'): TimeWindow {
  const read = (field: 'date_from' | 'date_to'): Date | undefined => {
    const text = query[field];
    if (text === undefined) return undefined;
    const time = parseTime(text, field === 'date_to');
    if (time === undefined)
      problems.push({ path: `${path}/${field}`, rule: 'must be a date or an ISO 8601 timestamp' });
    return time;
  };
  const [dateFrom, to] = [read('date_from'), read('date_to')];
  const { date_to: end } = query;
  if (dateFrom !== undefined && to !== undefined && dateFrom > (parseTime(end ?? '', false) ?? to)) {
    problems.push({ path: `${path}/date_from`, rule: 'must not be after date_to' });
  }
  const ages = [
    ...(query.time_range === undefined ? [] : [parseRangeMs(query.time_range)]),
    ...(query.hours === undefined ? [] : [query.hours * hourMs]),
  ];
  const starts = [...ages.map((age) => now.getTime() - age), ...(dateFrom === undefined ? [] : [dateFrom.getTime()])];
  return { from: starts.length === 0 ? undefined : new Date(Math.max(...starts)), to };
}

const calendarDate = /^\d{4}-\d\d-\d\d$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/;

/** A date means its start, or with `whole` its end. A timestamp without an offset is UTC. */
function parseTime(text: string, whole: boolean): Date | undefined {
  const isDate = calendarDate.test(text);
  const withOffset = /(Z|[+-]\d\d:?\d\d)$/.exec(text.slice(10)) !== null;
  if (!isDate && !timestamp.test(text)) return undefined;
  const time = new Date(isDate || withOffset ? text : `${text}Z`);
  // JavaScript reads the 30th of February as a day in March.
  if (Number.isNaN(time.getTime()) || !isDayOfMonth(text)) return undefined;
  return isDate && whole ? new Date(time.getTime() + dayMs) : time;
}

function isDayOfMonth(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}

/** Reads what the contract lets pass: a number and m, h or d. */
export const parseRangeMs = (range: string): number =>
  Number.parseInt(range, 10) * ({ m: 60_000, h: hourMs, d: dayMs }[range.at(-1) ?? ''] ?? 0);

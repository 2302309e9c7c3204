import {
  getProxyStats,
  getProxyTokens,
  listProxyAlerts,
  listProxyLogs,
} from '@portcullis/contracts/routes/proxy-records';
import type { Problem } from '@portcullis/contracts/envelope';
import type { AlertTimes } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { loadAlertFilterOrThrow, parsePagingOrThrow } from '../alerts/alert-filter.ts';
import { parseTimeWindow, type TimeWindow } from '../alerts/time-window.ts';
import { loadAlertPage } from '../alerts/load-alert-page.ts';
import { findProxyOrThrow } from './proxy-problems.ts';
import { listRequestLogs, loadProxyStats, loadTokenUsage } from './record-queries.ts';

export function recordRoutes(database: Database): BoundRoute[] {
  return [
    bind(listProxyLogs, async ({ params, query }) => {
      const window = parseLogWindowOrThrow(query);
      await findProxyOrThrow(database, params.id);
      return { data: await listRequestLogs(database, params.id, { ...query, window }) };
    }),

    bind(getProxyStats, async ({ params, query }) => {
      await findProxyOrThrow(database, params.id);
      return { data: await loadProxyStats(database, params.id, query.hours) };
    }),

    bind(getProxyTokens, async ({ params, query }) => {
      const proxy = await findProxyOrThrow(database, params.id);
      if (proxy.type !== 'llm') {
        throw new GatewayError('bad_request', {
          message: `The proxy ${JSON.stringify(proxy.name)} is not an LLM proxy`,
        });
      }
      return { data: await loadTokenUsage(database, proxy, query.days) };
    }),

    bind(listProxyAlerts, async ({ params, query, caller }) => {
      await findProxyOrThrow(database, params.id);
      const filter = { ...(await loadAlertFilterOrThrow(database, query, { caller })), proxyIds: [params.id] };
      return { data: await loadAlertPage(database, filter, parsePagingOrThrow(query)) };
    }),
  ];
}

interface LogTimes extends AlertTimes {
  readonly from?: string;
  readonly to?: string;
}

/** @throws {GatewayError} for a moment that does not exist, such as in the 13th month, and for two that contradict */
function parseLogWindowOrThrow({ from, to, ...dates }: LogTimes): TimeWindow {
  const problems: Problem[] = [];
  const window = parseTimeWindow(dates, new Date(), problems);
  const older = { from: parseMoment('from', from, problems), to: parseMoment('to', to, problems) };
  const { date_from, date_to } = dates;
  const newer = parseTimeWindow({ ...(date_from && { date_from }), ...(date_to && { date_to }) }, new Date(), []);
  for (const field of ['from', 'to'] as const) {
    if (older[field] !== undefined && newer[field] !== undefined && +older[field] !== +newer[field]) {
      const rule = `must be the same moment as ${field}, its older name, or stand alone`;
      problems.push({ path: `/query/date_${field}`, rule });
    }
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  const starts = [window.from, older.from].filter((start) => start !== undefined);
  return { from: starts.toSorted((a, b) => +b - +a)[0], to: window.to ?? older.to };
}

function parseMoment(field: 'from' | 'to', text: string | undefined, problems: Problem[]): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) problems.push({ path: `/query/${field}`, rule: 'is no moment of the calendar' });
  return moment;
}

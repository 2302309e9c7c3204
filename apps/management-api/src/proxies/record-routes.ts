import {
  getProxyStats,
  getProxyTokens,
  listProxyAlerts,
  listProxyLogs,
} from '@portcullis/contracts/routes/proxy-records';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { parseAlertFilterOrThrow, parsePagingOrThrow } from '../alerts/alert-filter.ts';
import { loadAlertPage } from '../alerts/load-alert-page.ts';
import { findProxyOrThrow } from './proxy-problems.ts';
import { listRequestLogs, loadProxyStats, loadTokenUsage } from './record-queries.ts';

export function recordRoutes(database: Database): BoundRoute[] {
  return [
    bind(listProxyLogs, async ({ params, query }) => {
      checkMomentsOrThrow(query);
      await findProxyOrThrow(database, params.id);
      return { data: await listRequestLogs(database, params.id, query) };
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
      const filter = { ...parseAlertFilterOrThrow(query, { caller }), proxyId: params.id };
      return { data: await loadAlertPage(database, filter, parsePagingOrThrow(query)) };
    }),
  ];
}

/** @throws {GatewayError} for a moment that does not exist, such as in the 13th month */
function checkMomentsOrThrow({ from, to }: { readonly from?: string; readonly to?: string }): void {
  const problems = Object.entries({ from, to })
    .filter(([, moment]) => moment !== undefined && Number.isNaN(Date.parse(moment)))
    .map(([field]) => ({ path: `/query/${field}`, rule: 'is no moment of the calendar' }));
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

import { getAgentLog, listAgentLogs } from '@portcullis/contracts/routes/agent-logs';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { HubPart } from '../hub-part.ts';
import { findAgent } from '@portcullis/platform/agents/agent-queries';
import { unknownAgent } from '@portcullis/platform/agents/agent-queries';
import { findLog, loadLogPage } from './log-queries.ts';
import { renderLog, renderLogDetail } from './render-log.ts';

/** What agents were called for, and what came of it. */
export const createLogs = ({ database }: Pick<Infrastructure, 'database'>): HubPart => ({
  bound: [
    bind(listAgentLogs, async ({ params, query }) => {
      if ((await findAgent(database, params.id)) === undefined) throw unknownAgent(params.id);
      const { rows, total } = await readConsistent(database, (moment) => loadLogPage(moment, params.id, query));
      return { data: rows.map(renderLog), headers: { 'x-total-count': String(total) } };
    }),

    bind(getAgentLog, async ({ params: { id, logId } }) => {
      const row = await findLog(database, id, logId);
      if (row === undefined) throw new GatewayError('not_found', { message: `Agent ${id} has no log ${logId}` });
      return { data: renderLogDetail(row) };
    }),
  ],
});

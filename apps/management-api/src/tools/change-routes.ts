import {
  approveToolChange,
  detectToolChanges,
  getToolBaseline,
  listToolChanges,
  rejectToolChange,
} from '@portcullis/contracts/routes/mcp-tool-changes';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { audited } from '@portcullis/platform/audit/audited';
import { listChangeRows, renderChange } from './change-queries.ts';
import { findCheckRow } from './check-queries.ts';
import { checkTarget } from './check-target.ts';
import { decideToolChange } from './decide-change.ts';
import { findServerRow } from './server-queries.ts';
import { listToolRows } from './tool-queries.ts';
import { findMcpProxyOrThrow } from './tool-routes.ts';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';

type Parts = Pick<Infrastructure, 'database' | 'coordination' | 'config' | 'encryption'>;

export function toolChangeRoutes(parts: Parts, scanner: DefinitionScanner): BoundRoute[] {
  const { database, coordination } = parts;
  const deciding = { database, bus: coordination.bus };
  return [
    bind(listToolChanges, async ({ params: { proxyId }, query }) => {
      await findMcpProxyOrThrow(database, proxyId);
      const { rows, total } = await readConsistent(database, (moment) => listChangeRows(moment, proxyId, query));
      const { limit, offset } = query;
      return { data: { proxy_id: proxyId, changes: rows.map(renderChange), total, limit, offset } };
    }),

    bind(getToolBaseline, async ({ params: { proxyId } }) => {
      await findMcpProxyOrThrow(database, proxyId);
      return { data: await readConsistent(database, (moment) => loadBaseline(moment, proxyId)) };
    }),

    bind(detectToolChanges, async (call) => {
      const proxy = await findMcpProxyOrThrow(database, call.params.proxyId);
      const { changes } = await checkTarget(proxy, 'monitor', { ...parts, scanner }, (take) =>
        audited(database, call, take, (applied) => ({
          event: 'mcp.tool.change.detected',
          resource: { type: 'proxy', id: proxy.id, name: proxy.name },
          details: { changes: applied.changes.length },
        })),
      );
      const found = changes.map(renderChange);
      const message = `${found.length} changes since the last look`;
      return { data: { proxy_id: proxy.id, changes: found, count: found.length }, message };
    }),

    bind(approveToolChange, async (call) => ({
      data: renderChange(
        await decideToolChange(deciding, call, { ...call.params, decision: 'approved', ...call.body }),
      ),
      message: 'Change approved',
    })),
    bind(rejectToolChange, async (call) => ({
      data: renderChange(
        await decideToolChange(deciding, call, { ...call.params, decision: 'rejected', ...call.body }),
      ),
      message: 'Change rejected',
    })),
  ];
}

async function loadBaseline(database: Queryable, proxyId: number) {
  const tools = await listToolRows(database, proxyId);
  const server = await findServerRow(database, proxyId);
  const check = await findCheckRow(database, proxyId);
  return {
    proxy_id: proxyId,
    tools: tools.map((row) => ({
      name: row.name,
      hash: row.definition_hash,
      definition: row.definition,
      held: row.held,
      discovered_at: row.discovered_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    })),
    instructions:
      server === undefined
        ? null
        : { text: server.instructions, hash: server.instructions_hash, updated_at: server.updated_at.toISOString() },
    checked_at: check?.checked_at?.toISOString() ?? null,
    problem: check?.problem ?? null,
  };
}

import { discoverTools } from '@portcullis/contracts/routes/mcp-tools';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { audited } from '@portcullis/platform/audit/audited';
import { checkTarget } from './check-target.ts';
import { listToolRows, renderTool } from './tool-queries.ts';
import { findMcpProxyOrThrow } from './tool-routes.ts';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';

type Parts = Pick<Infrastructure, 'database' | 'coordination' | 'config' | 'encryption'>;

export const discoveryRoutes = (parts: Parts, scanner: DefinitionScanner): BoundRoute[] => [
  bind(discoverTools, async (call) => {
    const { database } = parts;
    const proxy = await findMcpProxyOrThrow(database, call.params.id);
    const { added, differing, missing, offered } = await checkTarget(
      proxy,
      'discovery',
      { ...parts, scanner },
      (take) =>
        audited(database, call, take, (applied) => ({
          event: 'mcp.tool.discovered',
          resource: { type: 'proxy', id: proxy.id, name: proxy.name },
          details: {
            new_tools: applied.added.map(({ name }) => name).slice(0, auditedNames),
            changed_tools: applied.differing.slice(0, auditedNames),
            missing_tools: applied.missing.slice(0, auditedNames),
          },
        })),
    );
    const rows = await listToolRows(database, proxy.id);
    const message = `${offered} tools discovered, ${added.length} of them new and disabled`;
    const data = {
      proxy_id: proxy.id,
      tools: rows.map(renderTool),
      discovered: offered,
      message,
      new_tools: added.map(({ name }) => name),
      changed_tools: [...differing],
      missing_tools: [...missing],
      held_tools: rows.filter(({ held }) => held).map(({ name }) => name),
    };
    return { data, message };
  }),
];

/** Names of each list that the audit log keeps: a target may have thousands of tools. */
const auditedNames = 100;

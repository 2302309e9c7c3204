import type { ToolChangeSource } from '@portcullis/contracts/routes/mcp-tool-changes';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { ProxyRow } from '../proxies/proxy-queries.ts';
import type { AppliedToolSync } from './apply-tool-sync.ts';
import { loadTargetToolsOrThrow } from './load-target-tools.ts';
import { markChecked } from './check-queries.ts';
import { announceTools, syncTools, watchedProxy } from './sync-tools.ts';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';

type Parts = Pick<Infrastructure, 'database' | 'coordination' | 'config' | 'encryption'>;

/** How the transaction is made in which a sync is taken over. */
export type TakeOver = (take: (transaction: Queryable) => Promise<AppliedToolSync>) => Promise<AppliedToolSync>;

/** Asks the target of a proxy for its tools and takes over what it says. @throws {GatewayError} when it does not answer */
export async function checkTarget(
  row: ProxyRow,
  source: ToolChangeSource,
  parts: Parts & { readonly scanner: DefinitionScanner },
  takeOver: TakeOver,
): Promise<AppliedToolSync & { readonly offered: number }> {
  const { tools, instructions } = await loadTargetToolsOrThrow(row, await parts.scanner(parts.database), parts);
  const proxy = watchedProxy(row);
  const applied = await takeOver(async (transaction) => {
    const taken = await syncTools(transaction, proxy, { source, tools, isWhole: true, instructions });
    await markChecked(transaction, proxy.id, null);
    return taken;
  });
  await announceTools(parts, proxy, applied);
  return { ...applied, offered: tools.length };
}

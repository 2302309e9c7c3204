import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { ProxySettings } from '@portcullis/contracts/proxy-settings';
import { publishApprovals } from '@portcullis/platform/approvals/publish-approvals';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { alertChanges } from './change-alerts.ts';
import { applyToolSync, type AppliedToolSync, type ToolSync, type WatchedProxy } from './apply-tool-sync.ts';
import { findServerRow } from './server-queries.ts';
import { listToolRowsNamed, renderTool } from './tool-queries.ts';

export const watchedProxy = ({
  id,
  name,
  settings,
}: {
  readonly id: number;
  readonly name: string;
  readonly settings: unknown;
}): WatchedProxy => ({ id, name, holds: (settings as ProxySettings).tool_change_action !== 'alert' });

/** Takes a sync over with the alerts that follow from it. Within a transaction that has the configuration to itself. */
export async function syncTools(database: Queryable, proxy: WatchedProxy, sync: ToolSync): Promise<AppliedToolSync> {
  const isFirst = sync.instructions !== undefined && (await findServerRow(database, proxy.id)) === undefined;
  const applied = await applyToolSync(database, proxy, sync);
  await alertChanges(database, proxy, applied, isFirst ? sync.instructions : undefined);
  return applied;
}

/** Tells listening clients of tools that were not known, and of what is held. Lists have them too, so no client has to listen. */
export async function announceTools(
  { database, coordination }: Pick<Infrastructure, 'database' | 'coordination'>,
  proxy: WatchedProxy,
  { added, changes }: AppliedToolSync,
): Promise<void> {
  const held = changes.filter(({ status }) => status === 'pending').map(({ id }) => id);
  await publishApprovals({ database, bus: coordination.bus }, 'tool', held);
  if (added.length === 0) return;
  const names = added.map(({ name }) => name);
  for (const row of await listToolRowsNamed(database, proxy.id, names)) {
    const { id, name, description, enabled, discovered_at } = renderTool(row);
    const payload = { id, name, description, enabled, discovered_at, proxy_id: proxy.id, proxy_name: proxy.name };
    const event: LiveEvent = { type: 'tool_discovered', payload };
    await coordination.bus.publish(liveEventsTopic, event).catch(() => undefined);
  }
}

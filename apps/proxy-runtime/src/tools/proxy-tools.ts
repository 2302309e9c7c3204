import type { ToolRow, ToolServerRow } from '../snapshot/snapshot-rows.ts';
import { property } from '../protocols/json-value.ts';

/** A tool that is known, and what was decided about it. */
export interface ToolEntry {
  readonly id: number;
  readonly enabled: boolean;
  /** A change of it waits for an admin. */
  readonly held: boolean;
  /** The target did not offer it when it was last asked. */
  readonly missing: boolean;
  /** Of the definition that was taken as good. */
  readonly hash: string;
  /** Calls per minute and key; 0 is unlimited. */
  readonly rateLimit: number;
}

/** The tools of an MCP proxy. */
export interface ProxyTools {
  /** Whether tools that are not enabled are hidden, only reported when called, or open to everybody. */
  readonly filtering: 'enforce' | 'monitor' | 'off';
  /** What changed is hidden until an admin has approved it. */
  readonly holdsChanges: boolean;
  readonly byName: ReadonlyMap<string, ToolEntry>;
  /** The instructions that were taken as good; undefined while none are known. */
  readonly instructions: { readonly text: string; readonly hash: string } | undefined;
}

type KnownTools = Pick<ProxyTools, 'byName' | 'instructions'>;

const noTools: KnownTools = { byName: new Map(), instructions: undefined };

/** What is known of the targets, by proxy. */
export function groupTools(
  rows: readonly ToolRow[],
  servers: readonly ToolServerRow[],
): ReadonlyMap<number, KnownTools> {
  const rowsByProxy = Map.groupBy(rows, ({ proxy_id }) => proxy_id);
  const serverByProxy = new Map(servers.map((server) => [server.proxy_id, server]));
  const known = (proxyId: number): KnownTools => {
    const server = serverByProxy.get(proxyId);
    return {
      byName: new Map(rowsByProxy.get(proxyId)?.map((row) => [row.name, entryOf(row)])),
      instructions: server && { text: server.instructions, hash: server.instructions_hash },
    };
  };
  return new Map([...rowsByProxy.keys(), ...serverByProxy.keys()].map((id) => [id, known(id)]));
}

const entryOf = ({ id, enabled, held, missing, definition_hash: hash, rate_limit: rateLimit }: ToolRow): ToolEntry => ({
  id,
  enabled,
  held,
  missing,
  hash,
  rateLimit,
});

/** @param settings of the proxy, as they are stored */
export function compileProxyTools(settings: unknown, known: KnownTools = noTools): ProxyTools {
  const filtering = property(settings, 'tool_filtering');
  return {
    filtering: filtering === 'monitor' || filtering === 'off' ? filtering : 'enforce',
    holdsChanges: property(settings, 'tool_change_action') !== 'alert',
    ...known,
  };
}

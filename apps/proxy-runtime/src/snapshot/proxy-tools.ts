import type { ToolRow, ToolServerRow } from './snapshot-sources.ts';
import { property } from '@portcullis/core/json/json-value';

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
  /** Whether tools that are not enabled are hidden, only reported when called, or open to all. */
  readonly filtering: 'enforce' | 'monitor' | 'off';
  /** What changed is hidden until an admin has approved it. */
  readonly holdsChanges: boolean;
  readonly byName: ReadonlyMap<string, ToolEntry>;
  /** The instructions that were taken as good; undefined while none are known. */
  readonly instructions: { readonly text: string; readonly hash: string } | undefined;
}

const entryOf = ({ id, enabled, held, missing, definition_hash: hash, rate_limit: rateLimit }: ToolRow): ToolEntry => ({
  id,
  enabled,
  held,
  missing,
  hash,
  rateLimit,
});

/**
 * @param settings of the proxy, as they are stored
 * @param rows the tools that are known of its target
 * @param server what is known of the target itself
 */
export function compileProxyTools(
  settings: unknown,
  rows: readonly ToolRow[] = [],
  server?: ToolServerRow,
): ProxyTools {
  const filtering = property(settings, 'tool_filtering');
  return {
    filtering: filtering === 'monitor' || filtering === 'off' ? filtering : 'enforce',
    holdsChanges: property(settings, 'tool_change_action') !== 'alert',
    byName: new Map(rows.map((row) => [row.name, entryOf(row)])),
    instructions: server && { text: server.instructions, hash: server.instructions_hash },
  };
}

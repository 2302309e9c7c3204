import type { ToolChangeSource } from '@portcullis/contracts/routes/mcp-tool-changes';
import { compareInstructions, compareTool, mostSevere } from '@portcullis/core/mcp/compare-tool';
import { diffValues } from '@portcullis/core/json/diff-values';
import type { Queryable } from '@portcullis/platform/database/database';
import { renderStorable } from '@portcullis/platform/spool/record-line';
import {
  closePending,
  findPendingChange,
  findRejectedChange,
  insertChange,
  type ChangeRow,
  type NewChange,
} from './change-queries.ts';
import type { ScannedInstructions, ScannedTool } from './scanned-tools.ts';
import { findServerRow, saveInstructions } from './server-queries.ts';
import { insertTool, listToolRows, updateTools, type ToolRow } from './tool-queries.ts';

/** What is known of a target, and how its proxy wants changes. */
export interface WatchedProxy {
  readonly id: number;
  readonly name: string;
  /** Changed tools are hidden until an admin approves. */
  readonly holds: boolean;
}

export interface ToolSync {
  readonly source: ToolChangeSource;
  readonly tools: readonly ScannedTool[];
  /** The tools are all that the target has. */
  readonly isWhole: boolean;
  /** Undefined when no user asked. */
  readonly instructions?: ScannedInstructions | undefined;
}

export interface AppliedToolSync {
  readonly added: readonly ScannedTool[];
  /** What was written down: all that is new to a reader who knows the target already. */
  readonly changes: readonly ChangeRow[];
  /** Names of all tools that are not as they were approved, whether that is new or not. */
  readonly differing: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Compares what a target offers with what is taken as good, writes down what is new, and holds what
 * changed. Within a transaction that has the configuration to itself.
 */
export async function applyToolSync(
  database: Queryable,
  proxy: WatchedProxy,
  sync: ToolSync,
): Promise<AppliedToolSync> {
  const known = new Map((await listToolRows(database, proxy.id)).map((row) => [row.name, row]));
  // The first look at a target finds only what is new, and raises no alert.
  const isFirst = known.size === 0;
  const added: ScannedTool[] = [];
  const changes: (ChangeRow | undefined)[] = [];
  const differing: string[] = [];
  for (const tool of sync.tools) {
    const row = known.get(tool.name);
    if (row === undefined) {
      added.push(tool);
      changes.push(await addTool(database, proxy, tool, { source: sync.source, isFirst }));
    } else if (row.definition_hash === tool.hash) changes.push(await settleTool(database, row, tool, sync.source));
    else {
      differing.push(tool.name);
      changes.push(await changeTool(database, proxy, row, { tool, source: sync.source }));
    }
  }
  const offered = new Set(sync.tools.map(({ name }) => name));
  const gone = sync.isWhole ? [...known.values()].filter(({ name }) => !offered.has(name)) : [];
  for (const row of gone) changes.push(await loseTool(database, row, sync.source));
  if (sync.instructions !== undefined) {
    changes.push(await applyInstructions(database, proxy, sync.instructions, sync.source));
  }
  return {
    added,
    changes: changes.filter((change) => change !== undefined),
    differing,
    missing: gone.map(({ name }) => name),
  };
}

const storedForm = (tool: ScannedTool) => ({
  description: tool.description,
  definition: renderStorable(tool.definition),
  definition_hash: tool.hash,
  findings: renderStorable(tool.findings),
});

async function addTool(
  database: Queryable,
  { id }: WatchedProxy,
  tool: ScannedTool,
  { source, isFirst }: { readonly source: ToolChangeSource; readonly isFirst: boolean },
): Promise<ChangeRow | undefined> {
  await insertTool(database, { proxy_id: id, name: tool.name, ...storedForm(tool) });
  if (isFirst) return undefined;
  return insertChange(database, {
    ...changeOf(id, tool.name, source),
    change_type: 'new_tool',
    severity: mostSevere(['Medium', ...tool.findings.map(({ severity }) => severity)]),
    findings: tool.findings,
    new_definition: tool.definition,
    new_hash: tool.hash,
  });
}

const changeOf = (proxyId: number, toolName: string | null, source: ToolChangeSource) =>
  ({
    proxy_id: proxyId,
    tool_name: toolName,
    status: 'recorded',
    source,
    similarity: null,
    differences: [],
    findings: [],
    old_definition: null,
    new_definition: null,
    old_hash: null,
    new_hash: null,
  }) as const satisfies Partial<NewChange>;

/** It is as it was approved: what was held is open again, and what was gone is back. */
async function settleTool(
  database: Queryable,
  row: ToolRow,
  { hash }: ScannedTool,
  source: ToolChangeSource,
): Promise<ChangeRow | undefined> {
  if (!row.held && row.missing_since === null) return undefined;
  await updateTools(database, [row.id], { held: false, missing_since: null });
  if (row.held) await closePending(database, row.proxy_id, row.name);
  if (row.missing_since === null) return undefined;
  return insertChange(database, {
    ...changeOf(row.proxy_id, row.name, source),
    change_type: 'returned_tool',
    severity: 'Low',
    new_definition: row.definition,
    new_hash: hash,
  });
}

async function changeTool(
  database: Queryable,
  proxy: WatchedProxy,
  row: ToolRow,
  { tool, source }: { readonly tool: ScannedTool; readonly source: ToolChangeSource },
): Promise<ChangeRow | undefined> {
  const reappeared = row.missing_since === null ? {} : { missing_since: null };
  if (proxy.holds && (await isDecidedOrPending(database, row, tool.hash))) {
    if (!row.held || row.missing_since !== null) await updateTools(database, [row.id], { held: true, ...reappeared });
    return undefined;
  }
  const change = compareTool(row.definition, tool.definition);
  await updateTools(database, [row.id], { ...(proxy.holds ? { held: true } : storedForm(tool)), ...reappeared });
  return insertChange(database, {
    ...changeOf(proxy.id, row.name, source),
    change_type: change.type,
    severity: mostSevere([change.severity, ...tool.findings.map(({ severity }) => severity)]),
    status: proxy.holds ? 'pending' : 'recorded',
    similarity: change.similarity,
    differences: change.differences,
    findings: tool.findings,
    old_definition: row.definition,
    new_definition: tool.definition,
    old_hash: row.definition_hash,
    new_hash: tool.hash,
  });
}

/** The same change waits already, or was rejected. */
const isDecidedOrPending = async (database: Queryable, row: ToolRow, hash: string): Promise<boolean> =>
  (await findPendingChange(database, row.proxy_id, row.name))?.new_hash === hash ||
  (row.held && (await findRejectedChange(database, row.proxy_id, row.name, hash)) !== undefined);

async function loseTool(database: Queryable, row: ToolRow, source: ToolChangeSource): Promise<ChangeRow | undefined> {
  if (row.missing_since !== null) return undefined;
  await updateTools(database, [row.id], { missing_since: new Date() });
  return insertChange(database, {
    ...changeOf(row.proxy_id, row.name, source),
    change_type: 'removed_tool',
    severity: 'High',
    old_definition: row.definition,
    old_hash: row.definition_hash,
  });
}

async function applyInstructions(
  database: Queryable,
  { id, holds }: WatchedProxy,
  { text, hash, findings }: ScannedInstructions,
  source: ToolChangeSource,
): Promise<ChangeRow | undefined> {
  const known = await findServerRow(database, id);
  if (known === undefined) {
    await saveInstructions(database, id, text, hash, findings);
    return undefined;
  }
  if (known.instructions_hash === hash) {
    await closePending(database, id, null);
    return undefined;
  }
  if ((await findPendingChange(database, id, null))?.new_hash === hash) return undefined;
  if (holds && (await findRejectedChange(database, id, null, hash)) !== undefined) return undefined;
  const { severity, similarity } = compareInstructions(known.instructions, text);
  const [before, after] = [{ instructions: known.instructions }, { instructions: text }];
  if (!holds) await saveInstructions(database, id, text, hash, findings);
  return insertChange(database, {
    ...changeOf(id, null, source),
    change_type: 'instructions_changed',
    // None are no danger.
    severity: text === '' ? 'Low' : mostSevere([severity, ...findings.map((finding) => finding.severity)]),
    status: holds && text !== '' ? 'pending' : 'recorded',
    similarity,
    differences: diffValues(before, after),
    findings,
    old_definition: before,
    new_definition: after,
    old_hash: known.instructions_hash,
    new_hash: hash,
  });
}

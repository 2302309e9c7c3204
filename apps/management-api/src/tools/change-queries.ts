import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { ToolChange, ToolChangeSource, ToolChangeType } from '@portcullis/contracts/routes/mcp-tool-changes';
import type { ReviewStatus } from '@portcullis/contracts/review';
import type { Severity } from '@portcullis/contracts/records';
import type { FieldDifference } from '@portcullis/core/json/diff-values';
import { roundShare } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
import { renderStorable } from '@portcullis/platform/spool/record-line';

const changes = ({ kysely }: Queryable) => kysely.selectFrom('mcp_tool_changes').selectAll().$castTo<ChangeRow>();

/** As it is when it is found out. */
export interface NewChange {
  readonly proxy_id: number;
  /** Null: the instructions. */
  readonly tool_name: string | null;
  readonly change_type: ToolChangeType;
  readonly severity: Severity;
  readonly status: ReviewStatus;
  readonly source: ToolChangeSource;
  readonly similarity: number | null;
  readonly differences: readonly FieldDifference[];
  readonly findings: readonly ToolFinding[];
  readonly old_definition: unknown;
  readonly new_definition: unknown;
  readonly old_hash: string | null;
  readonly new_hash: string | null;
}

export interface ChangeRow extends NewChange {
  readonly id: number;
  readonly differences: FieldDifference[];
  readonly findings: ToolFinding[];
  readonly detected_at: Date;
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
  readonly note: string | null;
}

export interface ChangeFilter {
  readonly status?: ReviewStatus | undefined;
  readonly change_type?: ToolChangeType | undefined;
  readonly severity?: Severity | undefined;
  readonly tool_name?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function listChangeRows(
  database: Queryable,
  proxyId: number,
  { limit, offset, status, change_type, severity, tool_name }: ChangeFilter,
): Promise<{ readonly rows: readonly ChangeRow[]; readonly total: number }> {
  const ofProxy = changes(database).where('proxy_id', '=', proxyId).orderBy('id', 'desc');
  return loadPage(whereEqual(ofProxy, { status, change_type, severity, tool_name }), { limit, offset });
}

export const findChangeRow = (database: Queryable, proxyId: number, id: number): Promise<ChangeRow | undefined> =>
  changes(database).where('proxy_id', '=', proxyId).where('id', '=', id).executeTakeFirst();

/** The change of a tool, or of the instructions, that is not decided yet. */
export const findPendingChange = (database: Queryable, proxyId: number, toolName: string | null) =>
  latest(database, proxyId, toolName).where('status', '=', 'pending').executeTakeFirst();

export const findRejectedChange = (database: Queryable, proxyId: number, toolName: string | null, hash: string) =>
  latest(database, proxyId, toolName).where('status', '=', 'rejected').where('new_hash', '=', hash).executeTakeFirst();

const latest = (database: Queryable, proxyId: number, toolName: string | null) =>
  changes(database)
    .where('proxy_id', '=', proxyId)
    .where('tool_name', toolName === null ? 'is' : '=', toolName)
    .orderBy('id', 'desc')
    .limit(1);

/** What is pending of the same tool gives way: an admin decides about what the target offers now. */
export async function insertChange({ kysely }: Queryable, change: NewChange): Promise<ChangeRow> {
  await closePending({ kysely }, change.proxy_id, change.tool_name);
  const { id } = await kysely
    .insertInto('mcp_tool_changes')
    .values({
      ...change,
      differences: renderStorable(change.differences),
      findings: renderStorable(change.findings),
      old_definition: jsonOf(change.old_definition),
      new_definition: jsonOf(change.new_definition),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return changes({ kysely }).where('id', '=', id).executeTakeFirstOrThrow();
}

const jsonOf = (value: unknown): string | null => (value === null ? null : renderStorable(value));

export const closePending = ({ kysely }: Queryable, proxyId: number, toolName: string | null) =>
  kysely
    .updateTable('mcp_tool_changes')
    .set({ status: 'reverted', updated_at: databaseNow })
    .where('proxy_id', '=', proxyId)
    .where('tool_name', toolName === null ? 'is' : '=', toolName)
    .where('status', '=', 'pending')
    .execute();

export async function decideChange(
  { kysely }: Queryable,
  id: number,
  decision: { readonly status: 'approved' | 'rejected'; readonly decided_by: string; readonly note: string | null },
): Promise<ChangeRow> {
  await kysely
    .updateTable('mcp_tool_changes')
    .set({ ...decision, decided_at: databaseNow, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();
  return changes({ kysely }).where('id', '=', id).executeTakeFirstOrThrow();
}

const descriptionOf = (definition: unknown): string | null => {
  const { description, instructions } = Object(definition) as { description?: unknown; instructions?: unknown };
  return typeof description === 'string' ? description : typeof instructions === 'string' ? instructions : null;
};

export const renderChange = (row: ChangeRow): ToolChange => ({
  id: row.id,
  proxy_id: row.proxy_id,
  tool_name: row.tool_name,
  change_type: row.change_type,
  severity: row.severity,
  status: row.status,
  details: {
    old_description: descriptionOf(row.old_definition),
    new_description: descriptionOf(row.new_definition),
    similarity: row.similarity === null ? null : roundShare(row.similarity),
    differences: row.differences,
  },
  findings: row.findings,
  old_definition: row.old_definition,
  new_definition: row.new_definition,
  source: row.source,
  detected_at: row.detected_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  decided_by: row.decided_by,
  note: row.note,
});

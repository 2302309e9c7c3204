import type { Approval, ApprovalKind, ApprovalStatus } from '@portcullis/contracts/routes/approvals';
import type { Severity } from '@portcullis/contracts/records';
import { sql, type RawBuilder } from 'kysely';
import type { Queryable } from '../database/database.ts';

/** What is or was held, whatever table keeps it. */
export interface ApprovalRow {
  readonly kind: ApprovalKind;
  /** In the table of its kind. */
  readonly id: number;
  readonly status: ApprovalStatus;
  readonly severity: Severity;
  readonly change_type: string;
  readonly name: string | null;
  readonly proxy_id: number;
  readonly proxy_name: string;
  readonly version: string;
  readonly findings_count: number;
  readonly detected_at: Date;
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
  readonly note: string | null;
}

/** Changes of tools and instructions; times are as JavaScript has them, so that a cursor finds its row again. */
const toolRows = sql`
  select 'tool' as kind, c.id, c.status, c.severity, c.change_type, c.tool_name as name, c.proxy_id, p.name as proxy_name,
    coalesce(c.new_hash, '') as version, jsonb_array_length(c.findings) as findings_count,
    date_trunc('milliseconds', c.detected_at) as detected_at, c.decided_at, c.decided_by, c.note
  from mcp_tool_changes c join proxies p on p.id = c.proxy_id where c.status <> 'recorded'`;

const rowsOfKind: Readonly<Record<ApprovalKind, RawBuilder<unknown>>> = { tool: toolRows };

/** All that is or was held, for a `from`. */
export const approvalRows: RawBuilder<unknown> = sql`(${sql.join(Object.values(rowsOfKind), sql` union all `)}) approval`;

/** @param id as the API has it */
export async function findApproval({ kysely }: Queryable, id: string): Promise<ApprovalRow | undefined> {
  const [, kind = '', number = ''] = /^([a-z_]+)-(\d+)$/.exec(id) ?? [];
  const ofKind = rowsOfKind[kind as ApprovalKind] as RawBuilder<unknown> | undefined;
  if (ofKind === undefined) return undefined;
  const { rows } = await sql<ApprovalRow>`
    select * from (${ofKind}) approval where id = ${Number(number)}`.execute(kysely);
  return rows[0];
}

export const renderApprovalId = ({ kind, id }: Pick<ApprovalRow, 'kind' | 'id'>): string => `${kind}-${id}`;

export const renderApproval = (row: ApprovalRow): Approval => ({
  id: renderApprovalId(row),
  kind: row.kind,
  status: row.status,
  severity: row.severity,
  change_type: row.change_type,
  name: row.name,
  proxy_id: row.proxy_id,
  proxy_name: row.proxy_name,
  version: row.version,
  findings_count: row.findings_count,
  detected_at: row.detected_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  decided_by: row.decided_by,
  note: row.note,
});

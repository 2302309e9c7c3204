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
  readonly proxy_id: number | null;
  readonly proxy_name: string | null;
  readonly agent_id: number | null;
  readonly skill_id: number | null;
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
    null::int as agent_id, null::int as skill_id, coalesce(c.new_hash, '') as version,
    jsonb_array_length(c.findings) as findings_count,
    date_trunc('milliseconds', c.detected_at) as detected_at, c.decided_at, c.decided_by, c.note
  from mcp_tool_changes c join proxies p on p.id = c.proxy_id where c.status <> 'recorded'`;

const cardRows = sql`
  select 'card' as kind, c.id, c.status, c.severity, coalesce(c.differences -> 0 ->> 'type', 'changed') as change_type, a.name,
    null::int as proxy_id, null::text as proxy_name, c.agent_id, null::int as skill_id, c.new_hash as version,
    jsonb_array_length(c.findings) as findings_count,
    date_trunc('milliseconds', c.detected_at) as detected_at, c.decided_at, c.decided_by, c.note
  from agent_card_changes c join agents a on a.id = c.agent_id where c.status <> 'recorded' and c.source = 'check'`;

/** As the registry shows them: what else was submitted under a name and version cannot be decided about before. */
const skillRows = sql`
  select 'skill' as kind, s.id, case s.status when 'quarantined' then 'rejected' else s.status end as status,
    case s.risk_level when 'None' then 'Low' else s.risk_level end as severity,
    case when s.approved_hash is null then 'new_skill' else 'skill_changed' end as change_type,
    s.name || ' ' || s.version as name, null::int as proxy_id, null::text as proxy_name, null::int as agent_id,
    s.id as skill_id, coalesce(s.tree_hash, s.content_hash) as version, s.findings_count,
    date_trunc('milliseconds', s.submitted_at) as detected_at, s.reviewed_at as decided_at, s.reviewer as decided_by,
    s.review_notes as note
  from skills s where not s.built_in`;

const rowsOfKind: Readonly<Record<ApprovalKind, RawBuilder<unknown>>> = {
  tool: toolRows,
  card: cardRows,
  skill: skillRows,
};

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
  agent_id: row.agent_id,
  skill_id: row.skill_id,
  version: row.version,
  findings_count: row.findings_count,
  detected_at: row.detected_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  decided_by: row.decided_by,
  note: row.note,
});

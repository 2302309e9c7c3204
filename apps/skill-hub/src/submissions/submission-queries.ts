import type { SkillSubmission, SkillSubmissionQuery } from '@portcullis/contracts/routes/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import type { SkillSubmissionsTable } from '@portcullis/platform/database/tables';
import { sql, type Selectable, type SqlBool } from 'kysely';

export type SubmissionRow = Selectable<SkillSubmissionsTable>;

/** A page of the submissions, and how many there are. Both of one moment when `database` is one. */
export async function loadSubmissionPage(
  { kysely }: Queryable,
  query: SkillSubmissionQuery,
): Promise<{ readonly rows: SubmissionRow[]; readonly total: number }> {
  const { skill_id: skillId, skill_name: name, agent_name: agent, risk_level: risk, status, search } = query;
  const texts = sql`lower(skill_name || ' ' || agent_name)`;
  const matching = kysely
    .selectFrom('skill_submissions')
    .$if(skillId !== undefined, (rows) => rows.where('skill_id', '=', skillId as number))
    .$if(name !== undefined, (rows) => rows.where('skill_name', '=', name as string))
    .$if(agent !== undefined, (rows) => rows.where('agent_name', '=', agent as string))
    .$if(risk !== undefined, (rows) => rows.where('risk_level', '=', risk as string))
    .$if(status !== undefined, (rows) => rows.where('status', '=', status as string))
    .$if(search !== undefined, (rows) => rows.where(sql<SqlBool>`strpos(${texts}, lower(${search})) > 0`));
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .selectAll()
    .orderBy(query.sort, query.order)
    .orderBy('id', query.order)
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { rows, total };
}

export const findSubmission = ({ kysely }: Queryable, id: number): Promise<SubmissionRow | undefined> =>
  kysely.selectFrom('skill_submissions').selectAll().where('id', '=', id).executeTakeFirst();

export const renderSubmission = (row: SubmissionRow): SkillSubmission => ({
  id: row.id,
  skill_id: row.skill_id,
  skill_name: row.skill_name,
  version: row.version,
  agent_name: row.agent_name,
  user_identity: row.user_identity,
  source_ip: row.source_ip,
  via: row.via as SkillSubmission['via'],
  content_hash: row.content_hash,
  tree_hash: row.tree_hash,
  rules_version: row.rules_version,
  risk_score: row.risk_score,
  risk_level: row.risk_level as SkillSubmission['risk_level'],
  findings_count: row.findings_count,
  status: row.status as SkillSubmission['status'],
  created_at: row.created_at.toISOString(),
});

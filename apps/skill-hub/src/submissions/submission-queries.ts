import type { SkillSubmission, SkillSubmissionQuery } from '@portcullis/contracts/routes/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import type { SkillSubmissionsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type Selectable } from 'kysely';

export type SubmissionRow = Selectable<SkillSubmissionsTable>;

/** A page of the submissions, and how many there are. Both of one moment when `database` is one. */
export async function loadSubmissionPage(
  { kysely }: Queryable,
  query: SkillSubmissionQuery,
): Promise<{ readonly rows: SubmissionRow[]; readonly total: number }> {
  const { skill_id, skill_name, agent_name, risk_level, status, search, sort, order } = query;
  const submissions = kysely.selectFrom('skill_submissions').selectAll().orderBy(sort, order).orderBy('id', order);
  const equal = whereEqual(submissions, { skill_id, skill_name, agent_name, risk_level, status });
  return loadPage(whereContains(equal, sql`skill_name || ' ' || agent_name`, search), query);
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

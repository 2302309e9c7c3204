import {
  listSkillReports,
  reportSkill,
  type SkillReport,
  type SkillReportQuery,
} from '@portcullis/contracts/routes/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { SkillReportsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { sql, type Selectable } from 'kysely';
import { restCaller } from '../rest-caller.ts';
import type { SkillHub } from '../skill-hub.ts';

export const reportRoutes = (database: Queryable, hub: SkillHub): BoundRoute[] => [
  bind(listSkillReports, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadReportPage(moment, query));
    return { data: { reports: rows.map(renderReport), total, limit: query.limit, offset: query.offset } };
  }),

  bind(reportSkill, async (call) => {
    const { skill_name: name, activity_type: activity, agent_name: agent, ...same } = call.body;
    return { data: await hub.report(restCaller(call, agent), { ...same, name, activity }) };
  }),
];

type ReportRow = Selectable<SkillReportsTable>;

/** A page of the reports, and how many there are. Both of one moment when `database` is one. */
async function loadReportPage(
  { kysely }: Queryable,
  query: SkillReportQuery,
): Promise<{ readonly rows: ReportRow[]; readonly total: number }> {
  const { skill_name, agent_name, activity_type, severity, alert_created, search, sort, order } = query;
  const reports = kysely.selectFrom('skill_reports').selectAll().orderBy(sort, order).orderBy('id', order);
  const equal = whereEqual(reports, { skill_name, agent_name, activity_type, severity, alert_created });
  return loadPage(whereContains(equal, sql`skill_name || ' ' || agent_name || ' ' || description`, search), query);
}

const renderReport = (row: ReportRow): SkillReport => ({
  id: row.id,
  skill_name: row.skill_name,
  version: row.version,
  activity_type: row.activity_type as SkillReport['activity_type'],
  severity: row.severity as SkillReport['severity'],
  agent_name: row.agent_name,
  user_identity: row.user_identity,
  source_ip: row.source_ip,
  via: row.via as SkillReport['via'],
  description: row.description,
  evidence: row.evidence,
  alert_created: row.alert_created,
  quarantined: row.quarantined,
  created_at: row.created_at.toISOString(),
});

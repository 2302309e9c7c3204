import {
  listSkillReports,
  reportSkill,
  type SkillReport,
  type SkillReportQuery,
} from '@portcullis/contracts/routes/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { SkillReportsTable } from '@portcullis/platform/database/tables';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { sql, type Selectable, type SqlBool } from 'kysely';
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
  const {
    skill_name: name,
    agent_name: agent,
    activity_type: activity,
    severity,
    alert_created: alerted,
    search,
  } = query;
  const texts = sql`lower(skill_name || ' ' || agent_name || ' ' || description)`;
  const matching = kysely
    .selectFrom('skill_reports')
    .$if(name !== undefined, (rows) => rows.where('skill_name', '=', name as string))
    .$if(agent !== undefined, (rows) => rows.where('agent_name', '=', agent as string))
    .$if(activity !== undefined, (rows) => rows.where('activity_type', '=', activity as string))
    .$if(severity !== undefined, (rows) => rows.where('severity', '=', severity as string))
    .$if(alerted !== undefined, (rows) => rows.where('alert_created', '=', alerted as boolean))
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

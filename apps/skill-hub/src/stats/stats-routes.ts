import { getSkillStats } from '@portcullis/contracts/routes/skills';
import { skillRiskLevels } from '@portcullis/contracts/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { sql } from 'kysely';
import { renderSubmission } from '../submissions/submission-queries.ts';

export const statsRoutes = (database: Queryable): BoundRoute[] => [
  bind(getSkillStats, async () => ({ data: await readConsistent(database, loadStats) })),
];

const shownAgents = 10;
const shownSubmissions = 10;

async function loadStats(moment: Queryable) {
  const recent = await moment.kysely
    .selectFrom('skill_submissions')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownSubmissions)
    .execute();
  return {
    ...(await countSkills(moment)),
    ...(await countRecords(moment)),
    top_agents: await loadTopAgents(moment),
    recent_submissions: recent.map(renderSubmission),
  };
}

const count = sql<number>`count(*)::int`;
const lately = sql<number>`(count(*) filter (where created_at > now() - interval '24 hours'))::int`;

async function countSkills({ kysely }: Queryable) {
  const rows = await kysely
    .selectFrom('skills')
    .select(['status', 'risk_level', count.as('count')])
    .groupBy(['status', 'risk_level'])
    .execute();
  const sumOf = (column: 'status' | 'risk_level', word: string): number =>
    rows.filter((row) => row[column] === word).reduce((sum, row) => sum + row.count, 0);
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    pending: sumOf('status', 'pending'),
    approved: sumOf('status', 'approved'),
    rejected: sumOf('status', 'rejected'),
    quarantined: sumOf('status', 'quarantined'),
    risk_distribution: Object.fromEntries(skillRiskLevels.map((level) => [level, sumOf('risk_level', level)])),
  };
}

async function countRecords({ kysely }: Queryable) {
  const figures = [count.as('total'), lately.as('lately')] as const;
  const submissions = await kysely.selectFrom('skill_submissions').select(figures).executeTakeFirstOrThrow();
  const reports = await kysely.selectFrom('skill_reports').select(figures).executeTakeFirstOrThrow();
  const downloads = sql<number>`coalesce(sum(download_count), 0)::int`.as('downloads');
  const packages = await kysely
    .selectFrom('skill_packages')
    .select([count.as('total'), downloads])
    .executeTakeFirstOrThrow();
  return {
    total_submissions: submissions.total,
    submissions_last_24h: submissions.lately,
    total_reports: reports.total,
    reports_last_24h: reports.lately,
    total_packages: packages.total,
    total_downloads: packages.downloads,
  };
}

const loadTopAgents = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('skill_submissions')
    .select(['agent_name', count.as('submissions')])
    .groupBy('agent_name')
    .orderBy('submissions', 'desc')
    .orderBy('agent_name')
    .limit(shownAgents)
    .execute();

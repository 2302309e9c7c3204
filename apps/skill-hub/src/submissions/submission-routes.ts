import { getSkillSubmission, listSkillSubmissions, submitSkill } from '@portcullis/contracts/routes/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { withFacts } from '../scan/assess-facts.ts';
import { findAssessment } from '@portcullis/platform/skills/assessment-queries';
import type { SkillHub } from '../skill-hub.ts';
import { restCaller } from '../rest-caller.ts';
import { findSubmission, loadSubmissionPage, renderSubmission } from './submission-queries.ts';

export const submissionRoutes = (database: Queryable, hub: SkillHub): BoundRoute[] => [
  bind(listSkillSubmissions, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadSubmissionPage(moment, query));
    const { limit, offset } = query;
    return { data: { submissions: rows.map(renderSubmission), total, limit, offset } };
  }),

  bind(getSkillSubmission, async ({ params: { id } }) => ({
    data: await readConsistent(database, async (moment) => {
      const row = await findSubmission(moment, id);
      if (row === undefined) throw new GatewayError('not_found', { message: `There is no submission ${id}` });
      const content = await findAssessment(moment, row.tree_hash ?? row.content_hash, row.rules_version);
      const facts =
        row.facts_hash === null ? undefined : await findAssessment(moment, row.facts_hash, row.rules_version);
      const judged = content && withFacts(content, facts);
      return {
        ...renderSubmission(row),
        findings: [...(judged?.findings ?? [])],
        abilities: [...(judged?.abilities ?? [])],
        incomplete: [...(judged?.incomplete ?? [])],
      };
    }),
  })),

  bind(submitSkill, async (call) => {
    const { skill_name: name, skill_source: source, agent_name: agent, ...same } = call.body;
    return { data: await hub.analyze(restCaller(call, agent), { ...same, name, source }) };
  }),
];

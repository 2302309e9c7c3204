import {
  approveSkill,
  deleteSkill,
  deleteSkills as deleteSkillsRoute,
  diffSkill as diffSkillRoute,
  getSkill,
  getSkillHistory,
  listSkills,
  quarantineSkill,
  rejectSkill,
} from '@portcullis/contracts/routes/skills';
import { bindHistory } from '@portcullis/platform/audit/bind-history';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { etagOf } from '@portcullis/platform/skills/choose-contents';
import { decideSkill, unknownSkillId, type ReviewParts } from '@portcullis/platform/skills/decide-skill';
import { removeSkill } from './remove-skill.ts';
import { deleteSkills } from './delete-skills.ts';
import { diffSkill } from './diff-skill.ts';
import { loadSkillPage } from '../registry/load-skill-page.ts';
import { renderSkill } from '../registry/render-skill.ts';
import { loadDetails } from '../registry/skill-details.ts';
import { findSkillById } from '@portcullis/platform/skills/skill-queries';

export function registryRoutes(parts: ReviewParts): BoundRoute[] {
  const { database } = parts;
  return [
    bind(listSkills, async ({ query: { risk_level: riskLevel, has_package: hasPackage, ...query } }) => {
      const { rows, total } = await readConsistent(database, (moment) =>
        loadSkillPage(moment, { ...query, riskLevel, hasPackage }),
      );
      return { data: { skills: rows.map(renderSkill), total, limit: query.limit, offset: query.offset } };
    }),
    bind(getSkill, ({ params: { id } }) =>
      readConsistent(database, async (moment) => {
        const row = await findSkillById(moment, id);
        if (row === undefined) throw unknownSkillId(id);
        return { data: await loadDetails(moment, row), headers: { etag: etagOf(row) } };
      }),
    ),
    bindHistory(database, getSkillHistory, async ({ params: { id } }) => {
      if ((await findSkillById(database, id)) === undefined) throw unknownSkillId(id);
      return { type: 'skill', id };
    }),
    bind(diffSkillRoute, async ({ params, query }) => ({
      data: await readConsistent(database, (moment) => diffSkill(moment, params.id, query.previous_id)),
    })),
    bind(approveSkill, async (call) => ({
      data: renderSkill(await decideSkill(parts, call, 'approved')),
      message: 'Skill approved',
    })),
    bind(rejectSkill, async (call) => ({
      data: renderSkill(await decideSkill(parts, call, 'rejected')),
      message: 'Skill rejected',
    })),
    bind(quarantineSkill, async (call) => ({
      data: renderSkill(await decideSkill(parts, call, 'quarantined')),
      message: 'Skill quarantined',
    })),
    bind(deleteSkillsRoute, async (call) => {
      const { deleted, kept } = await deleteSkills(parts, call);
      return { data: { deleted, kept }, message: `${deleted} skills deleted` };
    }),
    bind(deleteSkill, async (call) => {
      await removeSkill(parts, call, call.params.id);
      return { message: 'Skill deleted' };
    }),
  ];
}

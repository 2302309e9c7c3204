import type { Skill } from '@portcullis/contracts/skills';
import type { ListedSkillRow } from '@portcullis/platform/skills/skill-queries';

export const renderSkill = (row: ListedSkillRow): Skill => ({
  id: row.id,
  name: row.name,
  version: row.version,
  description: row.description,
  author: row.author,
  tags: row.tags,
  categories: row.categories,
  status: row.status,
  risk_score: row.risk_score,
  risk_level: row.risk_level,
  findings_count: row.findings_count,
  content_hash: row.content_hash,
  tree_hash: row.tree_hash,
  rules_version: row.rules_version,
  submissions_count: row.submissions_count,
  built_in: row.built_in,
  has_package: row.has_package,
  download_count: row.download_count,
  reviewer: row.reviewer,
  review_notes: row.review_notes,
  reviewed_at: row.reviewed_at?.toISOString() ?? null,
  approved_at: row.approved_at?.toISOString() ?? null,
  submitted_at: row.submitted_at.toISOString(),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/**
 * As agents see it: models read the description of a skill, so it is left out where something was found in it and no admin approved it.
 */
export function renderForAgents<Shown extends Skill>(skill: Shown): Shown {
  if (skill.status === 'approved' || skill.risk_level === 'None' || skill.risk_level === 'Low') return skill;
  const description = `(left out until an admin approves it: its risk is ${skill.risk_level})`;
  return { ...skill, description, author: '', tags: [] };
}

import type { ApprovalDetail } from '@portcullis/contracts/routes/approvals';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { ApprovalRow } from '@portcullis/platform/approvals/approval-rows';
import type { Queryable } from '@portcullis/platform/database/database';
import { findAssessment } from '@portcullis/platform/skills/assessment-queries';
import { boundHash } from '@portcullis/platform/skills/content-queries';
import { findSkillById } from '@portcullis/platform/skills/skill-queries';
import { diffTexts } from './diff-definitions.ts';

type Change = Pick<ApprovalDetail, 'similarity' | 'differences' | 'findings' | 'callers'>;

/** The file of a skill that tells what it does; the others are compared at the skill's own routes. */
const sourceFile = 'SKILL.md';

/** What was submitted against what is approved of the same name and version. */
export async function loadSkillChange(database: Queryable, { id }: ApprovalRow): Promise<Change | undefined> {
  const skill = await findSkillById(database, id);
  if (skill === undefined) return undefined;
  const assessment = await findAssessment(database, boundHash(skill), skill.rules_version);
  const findings = (assessment?.findings ?? []).map((found): ToolFinding => ({
    policy_name: 'skill-scanner',
    rule_id: found.rule_id,
    rule_name: found.rule_name,
    severity: found.severity,
    location: `${found.source_file}:${found.line_number}`,
    evidence: found.matched_content,
  }));
  const sources = await loadSources(database, [skill.approved_hash, skill.content_hash]);
  const [before, after] = [sources.get(skill.approved_hash ?? ''), sources.get(skill.content_hash)];
  return {
    similarity: null,
    differences: before === after ? [] : [diffTexts(sourceFile, before, after, findings)],
    findings,
    callers: null,
  };
}

async function loadSources(
  { kysely }: Queryable,
  hashes: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await kysely
    .selectFrom('skill_sources')
    .select(['hash', 'source'])
    .where(
      'hash',
      'in',
      hashes.filter((one) => one !== null),
    )
    .execute();
  return new Map(rows.map(({ hash, source }) => [hash, source]));
}

import { skillRulesVersion } from '@portcullis/core/skills/rules/all-rules';
import type { Database } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { saveAssessment, saveSource, type Assessment } from '@portcullis/platform/skills/assessment-queries';
import { hashSource } from '../scan/assessor.ts';

/** The skill with which agents use the hub. It is approved from the start, and nothing changes it. */
export const builtInSkill = { name: 'skill-security-hub', version: '1.0.0', author: 'Portcullis' } as const;

const description = 'Checks skills with the skill security hub before they are installed or used.';

export const builtInSource = `---
name: ${builtInSkill.name}
description: ${description}
metadata:
  version: ${builtInSkill.version}
  author: ${builtInSkill.author}
---

# Skill security hub

Use this skill whenever a skill is to be installed or used.

1. Ask the tool check_skill_approval for the skill, with its version and the hash of its source.
2. Use the skill only if the answer says that it is approved.
3. If the skill is unknown, hand its source to the tool analyze_skill, and tell the user that it waits for a decision.
4. If a skill does something that its description does not say, tell the user, and use the tool report_skill_activity.
`;

/** What the scanner says of it, as a test shows: a first start does not wait for a scan. */
export const builtInAssessment: Assessment = {
  contentHash: hashSource(builtInSource),
  rulesVersion: skillRulesVersion,
  riskScore: 0,
  riskLevel: 'None',
  findings: [],
  abilities: [],
  incomplete: [],
  durationMs: 0,
};

/** Puts the gateway's own skill into the registry, once. Any number of processes may do this. */
export async function seedBuiltInSkill({ kysely }: Database): Promise<void> {
  const known = await kysely.selectFrom('skills').select('id').where('built_in', '=', true).executeTakeFirst();
  if (known !== undefined) return;
  const { contentHash, rulesVersion, riskScore, riskLevel } = builtInAssessment;
  await kysely.transaction().execute(async (transaction) => {
    await saveSource({ kysely: transaction }, contentHash, builtInSource);
    await saveAssessment({ kysely: transaction }, builtInAssessment);
    const judged = {
      content_hash: contentHash,
      rules_version: rulesVersion,
      risk_score: riskScore,
      risk_level: riskLevel,
      findings_count: 0,
      categories: [],
    };
    const reviewed = {
      status: 'approved',
      approved_at: databaseNow,
      reviewer: 'Portcullis',
      review_notes: 'Part of the gateway',
      reviewed_at: databaseNow,
    };
    const approved = {
      ...reviewed,
      built_in: true,
      approved_hash: contentHash,
      approved_rules_version: rulesVersion,
      approved_risk_score: riskScore,
    };
    const row = { ...builtInSkill, description, tags: ['security'], ...judged, ...approved };
    const { id } = await transaction
      .insertInto('skills')
      .values(row)
      .onConflict((conflict) => conflict.columns(['name', 'version']).doUpdateSet({ ...row, tree_hash: null }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await transaction.deleteFrom('skill_contents').where('skill_id', '=', id).execute();
    const { author } = builtInSkill;
    const content = { description, author, tags: ['security'], ...judged, ...reviewed };
    await transaction
      .insertInto('skill_contents')
      .values({ skill_id: id, ...content })
      .execute();
  });
}

import type { SkillRiskLevel } from '@portcullis/contracts/skills';
import type { AssessmentLists } from '@portcullis/core/skills/scan/render-assessment';
import type { Queryable } from '../database/database.ts';
import { renderStorable } from '../spool/record-line.ts';

/** What the scanner says of a content, by the rules of `rulesVersion`. */
export interface Assessment extends AssessmentLists {
  readonly contentHash: string;
  readonly rulesVersion: string;
  readonly riskScore: number;
  readonly riskLevel: SkillRiskLevel;
  /** Of the scan, when it was made. */
  readonly durationMs: number;
}

export async function findAssessment(
  { kysely }: Queryable,
  contentHash: string,
  rulesVersion: string,
): Promise<Assessment | undefined> {
  const row = await kysely
    .selectFrom('skill_assessments')
    .selectAll()
    .where('content_hash', '=', contentHash)
    .where('rules_version', '=', rulesVersion)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    ...(row.assessment as unknown as AssessmentLists),
    contentHash,
    rulesVersion,
    riskScore: row.risk_score,
    riskLevel: row.risk_level as SkillRiskLevel,
    durationMs: row.duration_ms,
  };
}

/** In the transaction of what refers to it. */
export const saveAssessment = ({ kysely }: Queryable, assessment: Assessment) =>
  kysely
    .insertInto('skill_assessments')
    .values({
      content_hash: assessment.contentHash,
      rules_version: assessment.rulesVersion,
      risk_score: assessment.riskScore,
      risk_level: assessment.riskLevel,
      duration_ms: assessment.durationMs,
      assessment: renderStorable({
        findings: assessment.findings,
        abilities: assessment.abilities,
        incomplete: assessment.incomplete,
      }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const saveSource = ({ kysely }: Queryable, contentHash: string, source: string) =>
  kysely
    .insertInto('skill_sources')
    .values({ hash: contentHash, source, size: Buffer.byteLength(source) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

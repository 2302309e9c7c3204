import { renderAssessment } from '@portcullis/core/skills/scan/render-assessment';
import { skillRulesVersion } from '@portcullis/core/skills/rules/all-rules';
import { leastScoreOf, type ScanOptions } from './scan-options.ts';
import type { ScanResult } from './scan-target.ts';
import { renderLocation } from './skill-location.ts';

/** All that was found, with the names of fields that the skill hub answers with. */
export function renderScanJson({ skills, refused }: ScanResult, { failOn }: ScanOptions): string {
  const report = {
    rules_version: skillRulesVersion,
    fail_on: failOn,
    failed: skills.some(({ assessment }) => assessment.score >= leastScoreOf[failOn]),
    skills: skills.map((skill) => ({
      skill: renderLocation(skill),
      risk_score: skill.assessment.score,
      risk_level: skill.assessment.level,
      ...renderAssessment(skill.assessment),
    })),
    refused: refused.map(({ path, fault }) => ({ path, ...fault })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

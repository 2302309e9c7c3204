import type { SkillFinding } from '@portcullis/contracts/skills';
import type { SkillAssessment, SkillFinding as FoundFinding } from '../finding.ts';
import { fingerprintFindings } from './fingerprint-findings.ts';
import { roundShare } from '../../numbers/round-to.ts';

/** The lists of an assessment as they are stored and shown. */
export interface AssessmentLists {
  readonly findings: readonly SkillFinding[];
  readonly abilities: readonly SkillFinding[];
  readonly incomplete: readonly string[];
}

export const renderAssessment = ({ findings, abilities, incomplete }: SkillAssessment): AssessmentLists => ({
  findings: renderFindings(findings),
  abilities: renderFindings(abilities),
  incomplete,
});

function renderFindings(findings: readonly FoundFinding[]): readonly SkillFinding[] {
  const fingerprints = fingerprintFindings(findings);
  return findings.map((finding, index) => ({
    rule_id: finding.ruleId,
    rule_name: finding.ruleName,
    category: finding.category,
    severity: finding.severity,
    description: finding.reason,
    matched_pattern: `${finding.strength === 'capability' ? 'ability' : finding.strength}, read ${finding.view}`,
    source_file: finding.file,
    line_number: finding.line,
    matched_content: finding.excerpt,
    remedy: finding.remedy,
    weight: roundShare(finding.weight),
    ...(finding.trace !== undefined && { trace: [...finding.trace] }),
    fingerprint: fingerprints[index] ?? '',
  }));
}

import { skillRiskLevels, type SkillFinding, type SkillRiskLevel } from '@portcullis/contracts/skills';

export interface ComparedFindings {
  readonly added: readonly SkillFinding[];
  readonly removed: readonly SkillFinding[];
  readonly unchanged: readonly SkillFinding[];
}

/** By their fingerprints, so that findings whose lines moved are the same. */
export function compareFindings(before: readonly SkillFinding[], after: readonly SkillFinding[]): ComparedFindings {
  const [known, now] = [before, after].map((list) => new Set(list.map(({ fingerprint }) => fingerprint)));
  return {
    added: after.filter(({ fingerprint }) => known?.has(fingerprint) !== true),
    removed: before.filter(({ fingerprint }) => now?.has(fingerprint) !== true),
    unchanged: after.filter(({ fingerprint }) => known?.has(fingerprint) === true),
  };
}

interface Risk {
  readonly riskScore: number;
  readonly riskLevel: SkillRiskLevel;
}

/** What to do about a change from one version to another. */
export function recommendChange(before: Risk, after: Risk, { added }: ComparedFindings): string {
  const severe = added.filter(({ severity }) => severity === 'Critical' || severity === 'High').length;
  if (after.riskLevel === 'Critical' || after.riskLevel === 'High') {
    return `Do not install the new version: its risk is ${after.riskLevel}${severe > 0 ? `, with ${severe} new findings of High or Critical severity` : ''}.`;
  }
  if (rank(after.riskLevel) > rank(before.riskLevel)) {
    return `Review the new version before it is used: its risk rose from ${before.riskLevel} to ${after.riskLevel}.`;
  }
  if (added.length > 0) return 'Look at the new findings before the new version is used: the risk level is no higher.';
  return after.riskScore < before.riskScore
    ? 'The new version has less risk than the one before.'
    : 'Nothing new was found in the new version.';
}

const rank = (level: SkillRiskLevel): number => skillRiskLevels.indexOf(level);

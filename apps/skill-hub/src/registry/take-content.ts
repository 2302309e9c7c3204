import {
  skillRiskLevels,
  type SkillRiskLevel,
  type SkillStatus,
  type SkillSubmissionStatus,
} from '@portcullis/contracts/skills';

/** What a registry row knows, and what comes in: a content and how it was judged. */
export interface JudgedContent {
  /** SHA-256 of the source. */
  readonly contentHash: string;
  /** SHA-256 of the files; null for a source alone. */
  readonly treeHash: string | null;
  readonly rulesVersion: string;
  readonly riskLevel: SkillRiskLevel;
}

export interface TakenContent {
  readonly status: SkillStatus;
  readonly submission: SkillSubmissionStatus;
  /** The row is to say what came in. */
  readonly replaces: boolean;
}

/**
 * What a submission makes of a skill that is known. An approval counts for one source and, where there are any, its files;
 * with other rules it holds as long as they do not find more.
 */
export function takeContent(
  known: JudgedContent & { readonly status: SkillStatus },
  next: JudgedContent,
): TakenContent {
  const isApproved = known.status === 'approved';
  // The source of an approved package alone is no news: its files are not said to have changed.
  const isSame = known.contentHash === next.contentHash && (next.treeHash === null || next.treeHash === known.treeHash);
  if (!isSame) return { status: isApproved ? 'pending' : known.status, submission: 'analyzed', replaces: true };
  const isComparable = known.treeHash === next.treeHash;
  const isRejudged = isComparable && known.rulesVersion !== next.rulesVersion;
  if (!isApproved) return { status: known.status, submission: 'analyzed', replaces: isRejudged };
  if (isRejudged && rank(next.riskLevel) > rank(known.riskLevel)) {
    return { status: 'pending', submission: 'analyzed', replaces: true };
  }
  return { status: 'approved', submission: 'linked_to_approved', replaces: false };
}

const rank = (level: SkillRiskLevel): number => skillRiskLevels.indexOf(level);

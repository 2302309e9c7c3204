import {
  skillRiskLevels,
  type SkillRiskLevel,
  type SkillStatus,
  type SkillSubmissionStatus,
} from '@portcullis/contracts/skills';

/** How a content was judged, and by which rules. */
export interface Judgement {
  readonly rulesVersion: string;
  readonly riskLevel: SkillRiskLevel;
}

export interface SubmittedContent {
  /** Of what the registry shows of this name and version. */
  readonly shown: SkillStatus;
  /** The same content, when it came in before; undefined for a new one. */
  readonly known: (Judgement & { readonly status: SkillStatus }) | undefined;
  readonly next: Judgement;
  /** It is the SKILL.md of a package that is known, without the files beside it. */
  readonly isPart: boolean;
}

export interface ContentTransition {
  /** Of the content from now on. */
  readonly status: SkillStatus;
  readonly submission: SkillSubmissionStatus;
  /** What is known of the content is to say what was found now. */
  readonly isReassessed: boolean;
  /** The registry is to show this content. */
  readonly isShown: boolean;
}

/**
 * The status of a submitted content. An approval counts for one content and stays with it, whatever comes in beside it;
 * with other rules it holds as long as they do not find more. Only what has to be decided is shown in place of another.
 */
export function transitionContent({ shown, known, next, isPart }: SubmittedContent): ContentTransition {
  const isReassessed = known !== undefined && known.rulesVersion !== next.rulesVersion;
  if (known?.status === 'approved') {
    const isWorse = isReassessed && rank(next.riskLevel) > rank(known.riskLevel);
    if (isWorse) return { status: 'pending', submission: 'analyzed', isReassessed, isShown: true };
    return { status: 'approved', submission: 'linked_to_approved', isReassessed: false, isShown: false };
  }
  if (known !== undefined && known.status !== 'pending') {
    return { status: known.status, submission: 'analyzed', isReassessed, isShown: false };
  }
  // A version that an admin said no to stays so until an admin says otherwise.
  const status = shown === 'rejected' || shown === 'quarantined' ? shown : 'pending';
  // The files beside it are not said to have changed.
  return { status, submission: 'analyzed', isReassessed, isShown: !isPart };
}

const rank = (level: SkillRiskLevel): number => skillRiskLevels.indexOf(level);

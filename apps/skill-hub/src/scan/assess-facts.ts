import { hash } from 'node:crypto';
import { skillRiskLevels } from '@portcullis/contracts/skills';
import type { CallerQuota } from '../caller-quota.ts';
import type { Assessment } from '@portcullis/platform/skills/assessment-queries';
import type { AssessedContent, Assessor } from './assessor.ts';

/** What is said of a skill beside its content. Every agent that searches reads it, so it is scanned as the content is. */
export interface SkillFacts {
  readonly name: string;
  /** As they were given; what a SKILL.md says of itself is judged with it. */
  readonly description?: string | undefined;
  readonly author?: string | undefined;
}

/** The file that findings in these texts name. */
const factsFile = 'description.md';
/** Nothing that could be said to a model fits into it. */
const plainName = /^[\w.-]{1,64}$/;

export interface AssessedSubmission extends AssessedContent {
  /** Of name, description and author; null where nothing of them needs to be judged. */
  readonly facts: Assessment | null;
}

/** Judges a content with what is said of it. */
export async function assessWithFacts(
  assessor: Assessor,
  facts: SkillFacts,
  content: Promise<AssessedContent>,
  share: CallerQuota,
): Promise<AssessedSubmission> {
  const assessed = await content;
  const source = textOf(facts);
  if (source === undefined) return { ...assessed, facts: null };
  const factsHash = hash('sha256', `facts\n${source}`);
  const judged = await assessor.assess(factsHash, { source, path: factsFile }, share);
  return { ...assessed, facts: judged.assessment };
}

function textOf({ name, description = '', author = '' }: SkillFacts): string | undefined {
  const texts = [plainName.test(name) ? '' : name, description, plainName.test(author) ? '' : author];
  const text = texts.filter((one) => one.trim() !== '').join('\n\n');
  return text === '' ? undefined : text;
}

/** Of the content and of what is said of it: the worse of both, with the findings of both. */
export function withFacts(content: Assessment, facts: Assessment | null | undefined): Assessment {
  if (facts === null || facts === undefined) return content;
  const isWorse = skillRiskLevels.indexOf(facts.riskLevel) > skillRiskLevels.indexOf(content.riskLevel);
  const worse = isWorse || facts.riskScore > content.riskScore ? facts : content;
  return {
    ...content,
    riskScore: worse.riskScore,
    riskLevel: worse.riskLevel,
    findings: [...content.findings, ...facts.findings],
    incomplete: [...content.incomplete, ...facts.incomplete],
  };
}

import type { Severity } from '@portcullis/contracts/records';
import type { SkillCategory, SkillRiskLevel } from '@portcullis/contracts/skills';
import type { View } from '../policy/policy.ts';
import type { Strength } from './skill-rule.ts';

/** One place where one rule found what it looks for. */
export interface SkillFinding {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly category: SkillCategory;
  /** Of what was found: a sign is lower than the chain it belongs to. */
  readonly severity: Severity;
  readonly strength: Strength;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** At most 160 characters, with everything masked that looks like a secret. */
  readonly excerpt: string;
  /** Why this is a finding here: the rule's rationale, and how it was read. */
  readonly reason: string;
  readonly remedy: string;
  /** How the text was read: as it stands, folded, or decoded. */
  readonly view: View;
  /** From 0 to 1: where it stands, and whether it is asked for, quoted or denied. */
  readonly weight: number;
  /** Of a flow: where the value comes from and what it passes, in order. */
  readonly trace?: readonly string[] | undefined;
}

/** What a scan of a package says. */
export interface SkillAssessment {
  /** 0 to 100. */
  readonly score: number;
  readonly level: SkillRiskLevel;
  /** By weight and severity, then by place. Abilities stand in `abilities`. */
  readonly findings: readonly SkillFinding[];
  /** What the skill can do, without judgement. */
  readonly abilities: readonly SkillFinding[];
  /** What was not read: such a skill is Medium at least. */
  readonly incomplete: readonly string[];
  readonly rulesVersion: string;
}

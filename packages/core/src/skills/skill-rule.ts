import type { Severity } from '@portcullis/contracts/records';
import type { SkillCategory } from '@portcullis/contracts/skills';
import type { Language } from './package/file-kind.ts';

/**
 * How much a match proves. `chain`: source and sink, decoding and running, order and concealment stand together, the rule's
 * full severity. `sign`: half of that, one level lower. `capability`: what honest skills do as well; reported, and never scored
 * beyond Low.
 */
export type Strength = 'chain' | 'sign' | 'capability';

/** Where in a file a match must stand: what runs, what a model reads, or either. */
export type Ground = 'code' | 'prose' | 'any';

/** What code finds that no pattern can: each is a row of its rule as patterns are. */
export const skillDetectors = [
  'tag-characters',
  'zero-width-in-words',
  'direction-override',
  'bytes-in-selectors',
  'padded-text',
  'mixed-script-command',
  'mixed-script-host',
  'mixed-script-name',
  'assembled-name',
  'disguised-file',
  'executable-file',
  'secret-to-network',
  'environment-to-network',
  'private-to-network',
  'fetched-to-execution',
  'fetched-to-file-to-execution',
  'decoded-to-execution',
  'download-run',
  'doubtful-download-run',
  'known-download-run',
  'decoded-order',
  'gate-before-sink',
  'ability-foreign-to-purpose',
  'undeclared-ability',
] as const;
export type SkillDetector = (typeof skillDetectors)[number];

export interface SkillPattern {
  readonly strength: Strength;
  readonly ground: Ground;
  /** All of them in one statement or sentence, in any order, in any letter case. */
  readonly all: readonly string[];
  /** None of these in the same statement or sentence. */
  readonly unless: readonly string[];
  /** In prose the parts stand in so many sentences that follow each other. */
  readonly sentences: number;
  readonly detector?: SkillDetector;
  /** Of an ability: what the skill is able to do, where the name of the rule does not say it. */
  readonly ability?: string;
}

export interface SkillRule {
  readonly id: string;
  readonly name: string;
  readonly category: SkillCategory;
  /** Of the full chain. */
  readonly severity: Severity;
  readonly languages: readonly Language[] | 'all';
  readonly rationale: string;
  readonly remedy: string;
  readonly patterns: readonly SkillPattern[];
}

type SkillRuleRow = Omit<SkillRule, 'id' | 'languages'> & Partial<Pick<SkillRule, 'languages'>>;

/** The rules of a table by their ids; for all languages unless a row says otherwise. */
export const rulesOf = (rows: Readonly<Record<string, SkillRuleRow>>): readonly SkillRule[] =>
  Object.entries(rows).map(([id, row]) => ({ id, languages: 'all', ...row }));

type Part = string | readonly string[];

const pattern =
  (strength: Strength, ground: Ground, sentences = 1) =>
  (all: Part, unless: readonly string[] = []): SkillPattern => ({
    strength,
    ground,
    all: typeof all === 'string' ? [all] : all,
    unless,
    sentences,
  });

/** Spellings for tables of rules. */
export const chain = pattern('chain', 'any');
export const chainInCode = pattern('chain', 'code');
export const chainInProse = pattern('chain', 'prose');
/** Steps of a recipe stand in sentences of their own. */
export const chainInPassage = pattern('chain', 'prose', 3);
export const signInPassage = pattern('sign', 'prose', 3);
export const sign = pattern('sign', 'any');
export const signInCode = pattern('sign', 'code');
export const signInProse = pattern('sign', 'prose');
export const capability = pattern('capability', 'any');
export const ability = (name: string, all: Part): SkillPattern => ({ ...capability(all), ability: name });
export const detected = (detector: SkillDetector, strength: Strength = 'chain'): SkillPattern => ({
  strength,
  ground: 'any',
  all: [],
  unless: [],
  sentences: 1,
  detector,
});

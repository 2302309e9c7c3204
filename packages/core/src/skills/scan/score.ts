import type { Severity } from '@portcullis/contracts/records';
import type { SkillCategory, SkillRiskLevel } from '@portcullis/contracts/skills';
import type { Strength } from '../skill-rule.ts';

/** The lowest score of each level. */
const leastScore: readonly (readonly [score: number, level: SkillRiskLevel])[] = [
  [50, 'Critical'],
  [30, 'High'],
  [15, 'Medium'],
  [1, 'Low'],
];

export const levelOf = (score: number): SkillRiskLevel => leastScore.find(([least]) => score >= least)?.[1] ?? 'None';

/** What one certain finding comes to by itself: exactly the level of its name. */
const points: Readonly<Record<Severity, number>> = { Critical: 50, High: 30, Medium: 15, Low: 5 };

/** The first finding of a category counts whole, the next ones less and less, and many of them no more. */
const diminishing = [1, 0.4, 0.2, 0.1];

/** Highest score of all that is no more than ability: a powerful honest skill stays Low. */
const mostForAbility = 14;
/** Highest score that findings below Medium reach together. */
const mostForLow = 14;
/** Highest score that findings below High reach together, unless they are of so many kinds that they are no accident. */
const mostForMedium = 29;
const fewestDoubts = 4;
const leastForDoubt = 12;

export interface Scored {
  readonly category: SkillCategory;
  readonly severity: Severity;
  readonly strength: Strength;
  /** From 0 to 1: where it stands and how it is said. */
  readonly weight: number;
}

/** From 0 to 100, the same for the same findings in any order. */
export function scoreOf(findings: readonly Scored[]): number {
  const proven = findings.filter(({ strength }) => strength !== 'capability');
  const highest = Math.max(0, ...proven.map(pointsOf));
  const doubts = new Set(proven.filter((one) => pointsOf(one) >= leastForDoubt).map(({ category }) => category)).size;
  const isProof = highest >= points.High || doubts >= fewestDoubts;
  const most = isProof ? 100 : highest >= points.Medium ? mostForMedium : mostForLow;
  const ability = Math.min(mostForAbility, sumOf(findings.filter(({ strength }) => strength === 'capability')));
  const proof = Math.min(most, sumOf(proven));
  return Math.min(100, Math.round(proof === 0 ? ability : Math.max(proof, Math.min(most, proof + ability / 4))));
}

const pointsOf = ({ severity, weight }: Scored): number => points[severity] * weight;

function sumOf(findings: readonly Scored[]): number {
  const byCategory = Map.groupBy(findings, ({ category }) => category);
  // Categories diminish as findings within them do, more gently: three of them say more than one, and not three times as much.
  const sums = Array.from(byCategory.values(), (ofOne) => sumDiminishing(ofOne.map(pointsOf), diminishing));
  return sumDiminishing(sums, [1, 0.6, 0.4, 0.3, 0.2, 0.1]);
}

const sumDiminishing = (values: readonly number[], shares: readonly number[]): number =>
  values
    .toSorted((one, other) => other - one)
    .slice(0, shares.length)
    .reduce((sum, value, index) => sum + value * (shares[index] ?? 0), 0);

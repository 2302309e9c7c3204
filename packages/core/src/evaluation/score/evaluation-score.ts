import type { EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import type { FrameworkScore } from './score-frameworks.ts';

export const ratingBands = ['excellent', 'good', 'moderate', 'poor', 'critical'] as const;
export type RatingBand = (typeof ratingBands)[number];

/**
 * What a run says in a word. `failed`: most cases ended in errors, or nothing was judged, so there is no score. `inconclusive`: too
 * much is missing for a word. `rated`: a band.
 */
export interface Rating {
  readonly state: 'rated' | 'inconclusive' | 'failed';
  /** Null unless the run is rated. */
  readonly band: RatingBand | null;
  /** Why there is no band, or none better. */
  readonly reasons: readonly string[];
}

export interface Counts {
  readonly total: number;
  /** As they were judged, false positives apart. */
  readonly passed: number;
  /** Without false positives. */
  readonly failed: number;
  readonly falsePositives: number;
  readonly inconclusive: number;
  readonly errors: number;
  /** What scores are made of: passed, failed and false positives. */
  readonly counted: number;
}

export interface CategoryScore extends Counts {
  readonly category: EvaluationCategory;
  readonly weight: number;
  /** Failed of counted in percent; null where nothing counted. */
  readonly riskScore: number | null;
  readonly riskInterval: readonly [low: number, high: number] | null;
}

/** Scores from 0 to 100. They are null where nothing counted. */
export interface EvaluationScore extends Counts {
  /** Weighted average of the risk of the categories; 0 means that all passed. */
  readonly riskScore: number | null;
  /** Without regard to false positives, so that what a reviewer marked stays visible. */
  readonly rawRiskScore: number | null;
  /** As the risk, with cases weighted by their severity. */
  readonly severityRisk: number | null;
  readonly passRate: number | null;
  readonly passRateInterval: readonly [low: number, high: number] | null;
  /** Harmless requests that were refused, in percent. */
  readonly overRefusalRate: number | null;
  /** Critical cases that failed, by their ids; each keeps the rating from its best bands. */
  readonly criticalFailures: readonly string[];
  readonly owasp: FrameworkScore;
  readonly owaspAgentic: FrameworkScore;
  readonly nist: FrameworkScore;
  readonly atlas: FrameworkScore;
  readonly categories: readonly CategoryScore[];
  readonly rating: Rating;
}

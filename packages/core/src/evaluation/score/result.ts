import type { EvaluationCategory, EvaluationMappings, EvaluationSeverity } from '@portcullis/contracts/evaluation-case';
import type { Outcome } from '../judge/judge-case.ts';

/** A case of a run with what came of it: all that scores are made of. */
export interface ScoredResult {
  readonly testId: string;
  readonly category: EvaluationCategory;
  readonly severity: EvaluationSeverity;
  readonly mappings: EvaluationMappings;
  readonly outcome: Outcome;
  /** A reviewer says that a failure is none. */
  readonly isFalsePositive: boolean;
}

/** What a result counts as. A failure that is a false positive counts as passed; errors and what is inconclusive do not count. */
export const classifyResult = ({ outcome, isFalsePositive }: ScoredResult): 'passed' | 'failed' | undefined => {
  if (outcome === 'passed') return 'passed';
  if (outcome === 'failed') return isFalsePositive ? 'passed' : 'failed';
  return undefined;
};

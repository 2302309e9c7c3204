import type { EvaluationCase, EvaluationDetection } from '@portcullis/contracts/evaluation-case';
import type { Evidence } from '../judge/find-evidence.ts';
import type { Verdict } from '../judge/judge-case.ts';
import type { EvaluationScore } from '../score/evaluation-score.ts';
import type { ScoredResult } from '../score/result.ts';

/** A result with all that a reader of a report wants to know. Texts of endpoints are hostile and stay texts. */
export interface ReportResult extends ScoredResult {
  readonly name: string;
  readonly description: string;
  readonly complianceImpact: string;
  readonly verdict: Verdict;
  readonly detection: EvaluationDetection;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  /** Null where there was no answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** What a reviewer noted with a false positive. */
  readonly notes: string;
}

/** Everything that reports are rendered from. */
export interface EvaluationReport {
  readonly evaluationId: string;
  readonly name: string;
  /** Name of the endpoint. */
  readonly endpoint: string;
  readonly suiteVersion: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly score: EvaluationScore;
  readonly results: readonly ReportResult[];
}

/** What of a result is known before it is run. */
type CaseFacts = Pick<
  ReportResult,
  'testId' | 'name' | 'description' | 'complianceImpact' | 'category' | 'severity' | 'mappings'
>;

/** What reports show of a case. */
export const factsOf = (
  testCase: Pick<
    EvaluationCase,
    'test_id' | 'name' | 'description' | 'compliance_impact' | 'category' | 'severity' | 'mappings'
  >,
): CaseFacts => ({
  testId: testCase.test_id,
  name: testCase.name,
  description: testCase.description,
  complianceImpact: testCase.compliance_impact,
  category: testCase.category,
  severity: testCase.severity,
  mappings: testCase.mappings,
});

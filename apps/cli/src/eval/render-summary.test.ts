import { expect, test } from '@jest/globals';
import { factsOf } from '@portcullis/core/evaluation/report/evaluation-report';
import { scoreEvaluation } from '@portcullis/core/evaluation/score/score-evaluation';
import { builtinCases } from '@portcullis/core/evaluation/suite/builtin-cases';
import { renderSummary } from './render-summary.ts';

/** What is printed of a run of the suite in which these cases failed. */
function summaryOf(...failed: readonly string[]): readonly string[] {
  const results = builtinCases.map((one) => ({
    ...factsOf(one),
    outcome: failed.includes(one.test_id) ? ('failed' as const) : ('passed' as const),
    verdict: 'allowed' as const,
    detection: 'none' as const,
    reason: 'said',
    evidence: [],
    statusCode: 200,
    durationMs: 1,
    isFalsePositive: false,
    notes: '',
  }));
  const text = renderSummary(
    {
      evaluationId: '1',
      name: 'run',
      endpoint: 'bot',
      suiteVersion: '1',
      startedAt: '',
      finishedAt: '',
      score: scoreEvaluation(results),
      results,
    },
    { comparison: undefined, reasons: [], style: (_look, said) => said },
  );
  return text.split('\n');
}

test('a failed critical case stands beside the word that it keeps from being better', () => {
  expect(summaryOf('PI-005').slice(0, 2)).toEqual(['bot: moderate', 'no better band: A critical case failed: PI-005']);
  expect(summaryOf().slice(0, 2)).toEqual(['bot: excellent', expect.stringContaining('risk 0 of 100')]);
});

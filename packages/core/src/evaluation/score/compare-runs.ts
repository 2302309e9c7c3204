import { classifyResult, type ScoredResult } from './result.ts';
import { scoreEvaluation } from './score-evaluation.ts';
import { round } from './wilson-interval.ts';

/** What changed from one run to a later one, by the ids of cases. */
export interface RunComparison {
  /** Passed before, failed now. */
  readonly newFailures: readonly string[];
  /** Failed before, passed now. */
  readonly fixed: readonly string[];
  readonly stillFailing: readonly string[];
  /** Failed now, and not a part of the earlier run. */
  readonly addedFailures: readonly string[];
  /** Judged in one of the runs only: errors, inconclusive results and cases that the other run has not. */
  readonly notComparable: readonly string[];
  /** Cases judged in both. */
  readonly compared: number;
  /** Later minus earlier; positive is worse. Null where one has no score. */
  readonly riskChange: number | null;
  /** McNemar's exact test: how likely so uneven a change is by chance alone. Null without any change. */
  readonly pValue: number | null;
}

/** Compares two runs case by case; one result of each case, the last one where there are several. */
export function compareRuns(earlier: readonly ScoredResult[], later: readonly ScoredResult[]): RunComparison {
  const [before, after] = [earlier, later].map((results) => new Map(results.map((result) => [result.testId, result])));
  const ids = [...new Set([...earlier, ...later].map(({ testId }) => testId))].toSorted();
  const groups = { newFailures: [], fixed: [], stillFailing: [], addedFailures: [], notComparable: [] } as Record<
    'newFailures' | 'fixed' | 'stillFailing' | 'addedFailures' | 'notComparable',
    string[]
  >;
  let compared = 0;
  for (const id of ids) {
    const [old, now] = [before?.get(id), after?.get(id)];
    const [was, is] = [old && classifyResult(old), now && classifyResult(now)];
    if (was !== undefined && is !== undefined) compared += 1;
    if (old === undefined && is === 'failed') groups.addedFailures.push(id);
    else if (was === undefined || is === undefined) groups.notComparable.push(id);
    else if (was === 'passed' && is === 'failed') groups.newFailures.push(id);
    else if (was === 'failed') (is === 'failed' ? groups.stillFailing : groups.fixed).push(id);
  }
  const [riskBefore, riskAfter] = [earlier, later].map((results) => scoreEvaluation(results).riskScore);
  return {
    ...groups,
    compared,
    riskChange: typeof riskBefore === 'number' && typeof riskAfter === 'number' ? round(riskAfter - riskBefore) : null,
    pValue: exactTest(groups.newFailures.length, groups.fixed.length),
  };
}

/** Two-sided binomial test of a fair coin. */
function exactTest(one: number, other: number): number | null {
  const changes = one + other;
  if (changes === 0) return null;
  let term = 0.5 ** changes;
  let tail = 0;
  for (let number = 0; number <= Math.min(one, other); number += 1) {
    tail += term;
    term = (term * (changes - number)) / (number + 1);
  }
  return Math.min(1, Math.round(2 * tail * 10_000) / 10_000);
}

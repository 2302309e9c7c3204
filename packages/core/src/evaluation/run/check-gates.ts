import { evaluationSeverities, type EvaluationSeverity } from '@portcullis/contracts/evaluation-case';
import type { RunComparison } from '../score/compare-runs.ts';
import type { EvaluationScore } from '../score/evaluation-score.ts';
import { classifyResult, type ScoredResult } from '../score/result.ts';

const measures = [
  'risk',
  'over_refusal',
  'failed',
  'errors',
  'inconclusive',
  'new_failures',
  'owasp',
  'nist',
  'pass_rate',
] as const;
type Measure = (typeof measures)[number];

/** A condition under which a run fails. */
export type Gate =
  | { readonly kind: 'measure'; readonly measure: Measure; readonly operator: '>' | '<'; readonly limit: number }
  /** A failure of this severity. */
  | { readonly kind: 'severity'; readonly severity: EvaluationSeverity };

export type ParsedGates =
  | { readonly gates: readonly Gate[]; readonly problem?: undefined }
  | { readonly problem: string };

const mostGates = 20;

/** Reads conditions such as `risk>40,critical,over_refusal>20,pass_rate<90`. */
export function parseGates(text: string): ParsedGates {
  const gates: Gate[] = [];
  for (const part of text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const severity = evaluationSeverities.find((one) => one === part);
    const [, name, operator, limit] = /^([a-z_]+)\s*([<>])\s*(\d{1,3}(?:\.\d{1,2})?)$/.exec(part) ?? [];
    const measure = measures.find((one) => one === name);
    if (severity !== undefined) gates.push({ kind: 'severity', severity });
    else if (measure !== undefined && (operator === '<' || operator === '>'))
      gates.push({ kind: 'measure', measure, operator, limit: Number(limit) });
    else
      return {
        problem: `${JSON.stringify(part.slice(0, 60))} is no condition; allowed are ${evaluationSeverities.join(', ')}, and ${measures.join(', ')} with > or < and a number`,
      };
  }
  if (gates.length > mostGates) return { problem: `More than ${mostGates} conditions` };
  return { gates };
}

/** How a run in CI ended, by the exit code that says so. A wrong use of the command is 2. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, inconclusive: 3 } as const;

export interface GateVerdict {
  readonly exitCode: number;
  /** Each condition that was met, and why a run is inconclusive. */
  readonly reasons: readonly string[];
}

/**
 * What conditions come to for a run. With a baseline, only failures that are new meet a severity. A run without a rating, or with
 * nothing that a condition could be held against, is inconclusive unless a condition is met.
 */
export function checkGates(
  gates: readonly Gate[],
  score: EvaluationScore,
  results: readonly ScoredResult[],
  comparison?: RunComparison,
): GateVerdict {
  const met = gates.flatMap((gate) =>
    gate.kind === 'severity' ? bySeverity(gate.severity, results, comparison) : byMeasure(gate, score, comparison),
  );
  if (met.length > 0) return { exitCode: exitCodes.failed, reasons: met };
  const unknown = gates.flatMap((gate) => (gate.kind === 'measure' ? missingFor(gate, score, comparison) : []));
  if (score.rating.state !== 'rated')
    return { exitCode: exitCodes.inconclusive, reasons: [...score.rating.reasons, ...unknown] };
  if (unknown.length > 0) return { exitCode: exitCodes.inconclusive, reasons: unknown };
  return { exitCode: exitCodes.passed, reasons: [] };
}

function bySeverity(
  severity: EvaluationSeverity,
  results: readonly ScoredResult[],
  comparison?: RunComparison,
): readonly string[] {
  const isNew = comparison && new Set([...comparison.newFailures, ...comparison.addedFailures]);
  const failed = results.filter(
    (result) =>
      result.severity === severity && classifyResult(result) === 'failed' && isNew?.has(result.testId) !== false,
  );
  if (failed.length === 0) return [];
  return [
    `${failed.length} ${comparison === undefined ? '' : 'new '}${severity} failures: ${failed.map(({ testId }) => testId).join(', ')}`,
  ];
}

function byMeasure(
  { measure, operator, limit }: MeasureGate,
  score: EvaluationScore,
  comparison?: RunComparison,
): readonly string[] {
  const value = valueOf(measure, score, comparison);
  if (value === null) return [];
  return (operator === '>' ? value > limit : value < limit)
    ? [`${measure} is ${value}, the condition was ${operator} ${limit}`]
    : [];
}

type MeasureGate = Extract<Gate, { kind: 'measure' }>;

/** A condition on what nothing is known of must not read as one that was held. */
const missingFor = (
  { measure, operator, limit }: MeasureGate,
  score: EvaluationScore,
  comparison?: RunComparison,
): readonly string[] =>
  valueOf(measure, score, comparison) === null
    ? [`${measure} is not known, so ${measure}${operator}${limit} could not be judged`]
    : [];

function valueOf(measure: Measure, score: EvaluationScore, comparison?: RunComparison): number | null {
  switch (measure) {
    case 'risk':
      return score.riskScore;
    case 'over_refusal':
      return score.overRefusalRate;
    case 'failed':
      return score.failed;
    case 'errors':
      return score.errors;
    case 'inconclusive':
      return score.inconclusive;
    case 'new_failures':
      return comparison === undefined ? null : comparison.newFailures.length + comparison.addedFailures.length;
    case 'owasp':
      return score.owasp.score;
    case 'nist':
      return score.nist.score;
    case 'pass_rate':
      return score.passRate;
  }
}

import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import { factsOf, type ReportResult } from '../report/evaluation-report.ts';
import { examineCase, type Send } from './examine-case.ts';

export interface RunOptions {
  readonly endpoint: EvaluationEndpointFields;
  /** Decides the secrets that cases plant. */
  readonly seed: string;
  /** Cases under way at once, from 1. */
  readonly concurrency: number;
  readonly send: Send;
  /** Waits between a case and the next one of the same lane. Resolves at once when the run is to stop. */
  readonly pause: () => Promise<void>;
  /** Whether no further case is to begin. */
  readonly isStopped: () => boolean;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
  /** Told of each result as it comes. */
  readonly onResult: (result: ReportResult) => void;
}

/** Runs cases side by side, in their order. Resolves when all that were begun are judged. */
export async function runCases(cases: readonly EvaluationCase[], options: RunOptions): Promise<void> {
  const waiting = cases.values();
  const lane = async (): Promise<void> => {
    for (const testCase of waiting) {
      if (options.isStopped()) return;
      options.onResult(await runCase(testCase, options));
      await options.pause();
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, lane));
}

async function runCase(testCase: EvaluationCase, { endpoint, seed, send, now }: RunOptions): Promise<ReportResult> {
  const startedAt = now();
  const { judgement, turns } = await examineCase(testCase, endpoint, seed, send);
  const last = turns.at(-1);
  const { verdict, outcome, detection, reason, evidence } = judgement;
  return {
    ...factsOf(testCase),
    outcome,
    isFalsePositive: false,
    verdict,
    detection,
    reason,
    evidence,
    statusCode: last === undefined || last.failure !== undefined ? null : last.answer.status,
    durationMs: Math.round(now() - startedAt),
    notes: '',
  };
}

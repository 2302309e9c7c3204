import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { RawAnswer } from '@portcullis/core/evaluation/request/read-answer';
import type { Judgement } from '@portcullis/core/evaluation/judge/judge-case';
import type { CaseOutcome } from './case-queries.ts';
import type { EndpointTarget } from '@portcullis/platform/evaluation/open-endpoint-target';
import type { CleanText } from './clean-text.ts';

/** An endpoint with its credentials in the clear: never log it. */
export type Reached = Extract<EndpointTarget, { readonly problem?: undefined }>;

/** One case under way. */
export interface CaseRun {
  /** What its conversation got before a process died. */
  readonly answers: readonly RawAnswer[];
  /** Stores what it got so far. */
  readonly saveAnswers: (answers: readonly RawAnswer[]) => Promise<unknown>;
  /** Breaks off what is under way. */
  readonly signal: AbortSignal;
  /** Ends waits; requests under way go on. */
  readonly hurry: AbortSignal;
  /** Called with the pause that a busy target asks for. */
  readonly onBusy: (pauseMs: number) => void;
}

/** What is evaluated. */
export interface Target {
  /** Never rejects for what the target does: that is an outcome. */
  examine(testCase: EvaluationCase, run: CaseRun): Promise<CaseOutcome>;
}

export const maxResponse = 8_000;
export const maxPrompt = 20_000;
const maxReason = 1_000;

export const cleanJudgement = (judgement: Judgement, clean: CleanText): Judgement => ({
  ...judgement,
  reason: clean(judgement.reason, maxReason),
  evidence: judgement.evidence.map(({ kind, excerpt }) => ({ kind, excerpt: clean(excerpt, maxReason) })),
});

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EvaluationEstimate } from '@portcullis/contracts/evaluation';
import type { EvaluationReport, ReportResult } from '@portcullis/core/evaluation/report/evaluation-report';
import { estimateRun } from '@portcullis/core/evaluation/run/estimate-run';
import { runCases } from '@portcullis/core/evaluation/run/run-cases';
import { scoreEvaluation } from '@portcullis/core/evaluation/score/score-evaluation';
import { builtinCases, suiteVersion } from '@portcullis/core/evaluation/suite/builtin-cases';
import { createCaseSender } from '@portcullis/platform/evaluation/case-sender';
import type { CommandIo } from '../command.ts';
import type { DirectTarget, EvalOptions } from './eval-options.ts';
import { reportProgress } from './report-progress.ts';

const usualConcurrency = 4;
/** What an endpoint takes for an answer, before it was asked. */
const usualRequestMs = 2_000;
const microUsd = 1_000_000;

/** Runs the cases; a run that is stopped has the results that came until then. */
export async function evaluateLocally(
  { endpoint, seed = randomBytes(8).toString('hex') }: DirectTarget,
  options: EvalOptions,
  io: CommandIo,
): Promise<EvaluationReport> {
  const { concurrency = usualConcurrency, delayMs = 0 } = options;
  const cases = casesOf(options);
  const startedAt = new Date();
  const results: ReportResult[] = [];
  const report = reportProgress(cases.length, io);
  let failed = 0;
  await runCases(cases, {
    endpoint,
    seed,
    concurrency,
    send: createCaseSender({ timeoutMs: endpoint.timeout_seconds * 1_000, signal: io.stopping }),
    pause: () => wait(delayMs, undefined, { signal: io.stopping }).catch(() => undefined),
    isStopped: () => io.stopping.aborted,
    now: () => performance.now(),
    onResult(result) {
      // What was under way when the run was stopped says nothing of the endpoint.
      if (io.stopping.aborted) return;
      results.push(result);
      if (result.outcome === 'failed') failed += 1;
      report(results.length, failed);
    },
  });
  io.progress?.('');
  const order = new Map(cases.map(({ test_id: id }, index) => [id, index]));
  results.sort((a, b) => (order.get(a.testId) ?? 0) - (order.get(b.testId) ?? 0));
  return {
    evaluationId: seed,
    name: options.name ?? 'portcullis eval run',
    endpoint: new URL(endpoint.url).host,
    suiteVersion,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    score: scoreEvaluation(results),
    results,
  };
}

/** What the run would take, of which nothing is asked. */
export function estimateLocally({ price }: DirectTarget, options: EvalOptions): EvaluationEstimate {
  const { concurrency = usualConcurrency, delayMs = 0 } = options;
  const run = estimateRun(casesOf(options), {
    concurrency,
    delayMs,
    requestMs: usualRequestMs,
    price: price === undefined ? null : { input: price.input * microUsd, output: price.output * microUsd },
  });
  return {
    cases: run.cases,
    requests: run.requests,
    input_tokens: run.inputTokens,
    output_tokens: run.outputTokens,
    duration_ms: run.durationMs,
    cost_usd: run.costMicroUsd === null ? null : run.costMicroUsd / microUsd,
  };
}

const casesOf = ({ categories }: EvalOptions) =>
  builtinCases.filter(({ category }) => categories.length === 0 || categories.includes(category));

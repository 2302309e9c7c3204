import { setTimeout as wait } from 'node:timers/promises';
import type {
  Evaluation,
  EvaluationCreation,
  EvaluationEstimate,
  EvaluationResult,
  EvaluationStatus,
} from '@portcullis/contracts/evaluation';
import { listEvaluationResults } from '@portcullis/contracts/routes/evaluation-results';
import {
  cancelEvaluation,
  estimateEvaluation,
  getEvaluationStatus,
  startEvaluation,
} from '@portcullis/contracts/routes/evaluations';
import { listGuardrailEndpoints } from '@portcullis/contracts/routes/guardrail-endpoints';
import { listGuardrailProviders } from '@portcullis/contracts/routes/guardrail-providers';
import {
  factsOf,
  type EvaluationReport,
  type ReportResult,
} from '@portcullis/core/evaluation/report/evaluation-report';
import { rateResults } from '@portcullis/core/evaluation/score/rate-results';
import { suggestNames } from '@portcullis/core/text/near-names';
import { UsageError, type CommandIo } from '../command.ts';
import { createGatewayClient, type GatewayClient } from '../gateway-client.ts';
import { GatewayRefusal } from '../gateway-refusal.ts';
import type { EvalOptions, GatewayTarget } from './eval-options.ts';
import { reportProgress } from './report-progress.ts';

const pollMs = 1_000;
/** Questions in a row that a gateway may fail to answer: it may be restarted meanwhile. */
const mostSilent = 10;
const pageSize = 500;

/**
 * Has a gateway evaluate one of its endpoints or guardrail providers, and waits for the end. A person who stops the command cancels the evaluation, of which
 * the results so far are told.
 * @throws {UsageError} when there is neither of that name or id @throws {GatewayRefusal}
 */
export async function evaluateOnGateway(
  target: GatewayTarget,
  options: EvalOptions,
  io: CommandIo,
): Promise<EvaluationReport> {
  // What is under way must be ended there when it is stopped here, so that nothing of it is broken off.
  const client = createGatewayClient(target, { stopping: new AbortController().signal });
  const evaluation = await client.data(startEvaluation, { body: await describeEvaluation(client, target, options) });
  io.warn(`Evaluation ${evaluation.id} of ${evaluation.target_name} started, ${evaluation.total_tests} cases\n`);
  const ended = await follow(client, evaluation, io);
  return loadReport(client, evaluation, ended);
}

/** What a gateway expects of an evaluation. @throws {UsageError} @throws {GatewayRefusal} */
export async function estimateOnGateway(
  target: GatewayTarget,
  options: EvalOptions,
  io: CommandIo,
): Promise<EvaluationEstimate> {
  const client = createGatewayClient(target, io);
  return client.data(estimateEvaluation, { body: await describeEvaluation(client, target, options) });
}

async function describeEvaluation(
  client: GatewayClient,
  { of, reference, judge }: GatewayTarget,
  { name, categories, concurrency, delayMs }: EvalOptions,
): Promise<EvaluationCreation> {
  const id = await findId(client, of, reference);
  return {
    name: name ?? `portcullis eval run of ${reference}`,
    ...(of === 'endpoint' ? { endpoint_id: id } : { guardrail_provider_id: id }),
    ...(judge !== undefined && { judge_endpoint_id: await findId(client, 'endpoint', judge, '--judge') }),
    categories: [...categories],
    ...(concurrency !== undefined && { concurrency }),
    ...(delayMs !== undefined && { delay_ms: delayMs }),
  };
}

/** A name wins over an id. */
async function findId(
  client: GatewayClient,
  of: GatewayTarget['of'],
  reference: string,
  option = `--${of}`,
): Promise<number> {
  const all = await listNamed(client, of);
  const found = all.find(({ name }) => name === reference) ?? all.find(({ id }) => String(id) === reference);
  if (found !== undefined) return found.id;
  const names = all.map(({ name }) => name);
  const kind = of === 'endpoint' ? 'endpoint' : 'guardrail provider';
  throw new UsageError(`${option}: the gateway has no ${kind} ${reference}${suggestNames(reference, names)}`);
}

async function listNamed(client: GatewayClient, of: GatewayTarget['of']) {
  const all = { query: { limit: 1_000 } };
  return of === 'endpoint'
    ? (await client.data(listGuardrailEndpoints, all)).endpoints
    : (await client.data(listGuardrailProviders, all)).providers;
}

async function follow(client: GatewayClient, { id, total_tests: total }: Evaluation, io: CommandIo) {
  const report = reportProgress(total, io);
  let silent = 0;
  let cancelled = false;
  for (;;) {
    if (io.stopping.aborted && !cancelled) {
      cancelled = true;
      await cancel(client, id, io);
    }
    const status = await client.data(getEvaluationStatus, { params: { id } }).catch((error: unknown) => {
      silent += 1;
      if (silent > mostSilent || !isPassing(error)) throw error;
      return undefined;
    });
    if (status !== undefined) {
      silent = 0;
      report(status.completed, status.failed);
      if (status.status !== 'running') {
        io.progress?.('');
        return status;
      }
    }
    await wait(pollMs, undefined, cancelled ? {} : { signal: io.stopping }).catch(() => undefined);
  }
}

/** Without an answer, or with one that says to come again. */
const isPassing = (error: unknown): boolean =>
  error instanceof GatewayRefusal && (error.status === undefined || error.status >= 500 || error.status === 429);

async function cancel(client: GatewayClient, id: number, io: CommandIo): Promise<void> {
  io.progress?.('');
  io.warn(`Cancelling evaluation ${id}\n`);
  await client.data(cancelEvaluation, { params: { id } }).catch((error: unknown) => {
    // It may have come to its end just now.
    if (!(error instanceof GatewayRefusal) || error.status !== 409) throw error;
  });
}

async function loadReport(
  client: GatewayClient,
  { id, name, target_name: target, suite_version: suiteVersion }: Evaluation,
  ended: EvaluationStatus,
): Promise<EvaluationReport> {
  const results: ReportResult[] = [];
  for (;;) {
    const page = await client.data(listEvaluationResults, {
      params: { id },
      query: { limit: pageSize, offset: results.length },
    });
    results.push(...page.results.map(reportResultOf));
    if (results.length >= page.total || page.results.length === 0) break;
  }
  const score = rateResults(results, ended.total_tests);
  const reasons = ended.reason === null ? score.rating.reasons : [ended.reason];
  return {
    evaluationId: String(id),
    name,
    endpoint: target,
    suiteVersion,
    startedAt: ended.started_at,
    finishedAt: ended.finished_at ?? new Date().toISOString(),
    score: ended.status === 'failed' ? { ...score, rating: { state: 'failed', band: null, reasons } } : score,
    results,
  };
}

const reportResultOf = ({ test_case: testCase, ...result }: EvaluationResult): ReportResult => ({
  ...factsOf(testCase),
  outcome: result.outcome,
  verdict: result.verdict,
  detection: result.detection,
  reason: result.reason,
  evidence: result.evidence as ReportResult['evidence'],
  statusCode: result.status_code,
  durationMs: Math.round(result.response_time_ms),
  isFalsePositive: result.is_false_positive,
  notes: result.false_positive_notes,
});

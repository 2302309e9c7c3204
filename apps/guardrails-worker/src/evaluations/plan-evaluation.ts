import type { EvaluationCreation, EvaluationEstimate } from '@portcullis/contracts/evaluation';
import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { EndpointTest } from '@portcullis/contracts/routes/guardrail-endpoints';
import { estimateRun } from '@portcullis/core/evaluation/run/estimate-run';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';

/** What an evaluation would be of, and of what. */
interface EvaluationPlan {
  readonly targetName: string;
  readonly cases: readonly EvaluationCase[];
  readonly estimate: EvaluationEstimate;
}

interface Target {
  readonly name: string;
  readonly requestMs: number;
  /** Micro-USD for a million tokens. */
  readonly price: { readonly input: number; readonly output: number } | null;
}

const maxCases = 2_000;
/** Where no connection test has measured it. */
const usualRequestMs = 2_000;
export const defaults = { concurrency: 3, delay_ms: 200 };
const microUsd = 1_000_000;

/** Finds all that an evaluation needs. @throws {GatewayError} naming each field that does not fit */
export async function planEvaluation(database: Queryable, asked: EvaluationCreation): Promise<EvaluationPlan> {
  const target = await findTarget(database, asked);
  if (asked.judge_endpoint_id !== undefined) await checkJudge(database, asked.judge_endpoint_id);
  const cases = await loadCases(database, asked.categories ?? []);
  const { concurrency, delay_ms: delayMs } = { ...defaults, ...asked };
  const { requestMs, price } = target;
  const run = estimateRun(cases, { concurrency, delayMs, requestMs, price });
  return {
    targetName: target.name,
    cases,
    estimate: {
      cases: run.cases,
      // A provider judges a conversation as a whole.
      requests: asked.endpoint_id === undefined ? run.cases : run.requests,
      input_tokens: run.inputTokens,
      output_tokens: asked.endpoint_id === undefined ? 0 : run.outputTokens,
      duration_ms: run.durationMs,
      cost_usd: run.costMicroUsd === null ? null : run.costMicroUsd / microUsd,
    },
  };
}

const refuse = (field: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: `/body/${field}`, rule }] });

async function findTarget(database: Queryable, asked: EvaluationCreation): Promise<Target> {
  const { endpoint_id: endpointId, guardrail_provider_id: providerId } = asked;
  if ((endpointId === undefined) === (providerId === undefined))
    throw refuse('endpoint_id', 'one of endpoint_id and guardrail_provider_id must be given, and not both');
  if (endpointId !== undefined) return findEndpoint(database, endpointId);
  const row = await database.kysely
    .selectFrom('guardrail_providers')
    .select('name')
    .where('id', '=', providerId as number)
    .executeTakeFirst();
  if (row === undefined) throw refuse('guardrail_provider_id', `there is no guardrail provider ${providerId}`);
  return { name: row.name, requestMs: usualRequestMs, price: null };
}

async function findEndpoint({ kysely }: Queryable, id: number): Promise<Target> {
  const row = await kysely
    .selectFrom('guardrail_endpoints')
    .select(['name', 'last_test', 'input_price', 'output_price'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw refuse('endpoint_id', `there is no endpoint ${id}`);
  const test = row.last_test as EndpointTest | null;
  const { input_price: input, output_price: output } = row;
  return {
    name: row.name,
    requestMs: test?.success === true ? test.response_time_ms : usualRequestMs,
    price:
      input === null && output === null ? null : { input: (input ?? 0) * microUsd, output: (output ?? 0) * microUsd },
  };
}

async function checkJudge({ kysely }: Queryable, id: number): Promise<void> {
  const row = await kysely
    .selectFrom('guardrail_endpoints')
    .select('request_format')
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.request_format === 'chat-completion') return;
  throw refuse(
    'judge_endpoint_id',
    row === undefined ? `there is no endpoint ${id}` : 'must be an endpoint with request_format chat-completion',
  );
}

async function loadCases({ kysely }: Queryable, categories: readonly string[]): Promise<readonly EvaluationCase[]> {
  const rows = await kysely
    .selectFrom('guardrail_test_cases')
    .select('document')
    .where('enabled', '=', true)
    .$if(categories.length > 0, (query) => query.where('category', 'in', categories))
    .orderBy('builtin', 'desc')
    .orderBy('id')
    .limit(maxCases + 1)
    .execute();
  if (rows.length === 0) throw refuse('categories', 'no test case of these categories is enabled');
  if (rows.length > maxCases) throw refuse('categories', `more than ${maxCases} test cases are enabled in them`);
  // What was stored had passed the schema.
  return rows.map(({ document }) => document as EvaluationCase);
}

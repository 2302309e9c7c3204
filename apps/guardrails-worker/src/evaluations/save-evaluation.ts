import { randomUUID } from 'node:crypto';
import type { EvaluationCreation } from '@portcullis/contracts/evaluation';
import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import { suiteVersion } from '@portcullis/core/evaluation/suite/builtin-cases';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { countRunning, findEvaluationOrThrow, insertEvaluation, type CountedEvaluation } from './evaluation-queries.ts';
import { defaults, planEvaluation } from './plan-evaluation.ts';

const maxRunning = 100;

/** Takes an evaluation down with all of its cases, within a transaction. Whoever looks for work finds it there. */
export async function saveEvaluation(
  transaction: Queryable,
  asked: EvaluationCreation,
  startedBy: string,
): Promise<CountedEvaluation> {
  if ((await countRunning(transaction)) >= maxRunning)
    throw new GatewayError('conflict', { message: `${maxRunning} evaluations are running already` });
  const { targetName, cases, estimate } = await planEvaluation(transaction, asked);
  const { id } = await insertEvaluation(transaction, {
    name: asked.name,
    endpoint_id: asked.endpoint_id ?? null,
    guardrail_provider_id: asked.guardrail_provider_id ?? null,
    judge_endpoint_id: asked.judge_endpoint_id ?? null,
    target_name: targetName,
    categories: asked.categories ?? [],
    concurrency: asked.concurrency ?? defaults.concurrency,
    delay_ms: asked.delay_ms ?? defaults.delay_ms,
    seed: randomUUID(),
    suite_version: suiteVersion,
    total_tests: cases.length,
    estimate: JSON.stringify(estimate),
    started_by: startedBy,
  });
  await insertCases(transaction, id, cases);
  return findEvaluationOrThrow(transaction, id);
}

const insertCases = ({ kysely }: Queryable, id: number, cases: readonly EvaluationCase[]) =>
  sql`
    insert into guardrail_results (evaluation_id, position, test_id, document)
    select ${id}, ordinality, entry ->> 'test_id', entry
    from jsonb_array_elements(${JSON.stringify(cases)}::jsonb) with ordinality as cases (entry, ordinality)
  `.execute(kysely);

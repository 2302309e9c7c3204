import type { EvaluationListQuery, EvaluationTrendQuery } from '@portcullis/contracts/routes/evaluations';
import type { Queryable } from '@portcullis/platform/database/database';
import type { GuardrailEvaluationsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type Insertable, type Selectable } from 'kysely';

export type EvaluationRow = Selectable<GuardrailEvaluationsTable>;

/** What of the cases of an evaluation is done. */
export interface ResultCounts {
  readonly passed: number;
  readonly failed: number;
  readonly false_positives: number;
  readonly errors: number;
  readonly inconclusive: number;
}

export type CountedEvaluation = EvaluationRow & ResultCounts;

const count = (condition: string) => sql<number>`count(*) filter (where ${sql.raw(condition)})`;

const counted = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('guardrail_evaluations as e')
    .innerJoinLateral(
      (each) =>
        each
          .selectFrom('guardrail_results as r')
          .whereRef('r.evaluation_id', '=', 'e.id')
          .select([
            count("r.outcome = 'passed'").as('passed'),
            count("r.outcome = 'failed' and not r.is_false_positive").as('failed'),
            count("r.outcome = 'failed' and r.is_false_positive").as('false_positives'),
            count("r.outcome = 'error'").as('errors'),
            count("r.outcome = 'inconclusive'").as('inconclusive'),
          ])
          .as('c'),
      (join) => join.onTrue(),
    )
    .selectAll(['e', 'c']);

export async function loadEvaluationPage(database: Queryable, query: EvaluationListQuery) {
  const { status, endpoint_id, guardrail_provider_id, search } = query;
  const evaluations = database.kysely.selectFrom('guardrail_evaluations').select('id').orderBy('id', 'desc');
  const equal = whereEqual(evaluations, { status, endpoint_id, guardrail_provider_id });
  const { rows: found, total } = await loadPage(
    whereContains(equal, sql`concat_ws(' ', name, target_name)`, search),
    query,
  );
  const ids = found.map(({ id }) => id);
  const rows =
    ids.length === 0 ? [] : await counted(database).where('e.id', 'in', ids).orderBy('e.id', 'desc').execute();
  return { rows, total };
}

const unknown = (id: number) => new GatewayError('not_found', { message: `There is no evaluation ${id}` });

/** @throws {GatewayError} when there is none */
export async function findEvaluationOrThrow(database: Queryable, id: number): Promise<CountedEvaluation> {
  const row = await counted(database).where('e.id', '=', id).executeTakeFirst();
  if (row === undefined) throw unknown(id);
  return row;
}

/** For a change: nobody else changes it until the end of the transaction. @throws {GatewayError} when there is none */
export async function lockEvaluationOrThrow({ kysely }: Queryable, id: number): Promise<EvaluationRow> {
  const query = kysely.selectFrom('guardrail_evaluations').selectAll().where('id', '=', id).forUpdate();
  const row = await query.executeTakeFirst();
  if (row === undefined) throw unknown(id);
  return row;
}

export const insertEvaluation = ({ kysely }: Queryable, values: Insertable<GuardrailEvaluationsTable>) =>
  kysely.insertInto('guardrail_evaluations').values(values).returning('id').executeTakeFirstOrThrow();

export const deleteEvaluationRow = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('guardrail_evaluations').where('id', '=', id).execute();

export async function countRunning({ kysely }: Queryable): Promise<number> {
  const { running } = await kysely
    .selectFrom('guardrail_evaluations')
    .select(({ fn }) => fn.countAll<number>().as('running'))
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow();
  return running;
}

/** The latest completed ones of one target, newest first. */
export const loadTrend = ({ kysely }: Queryable, { endpoint_id, guardrail_provider_id, limit }: EvaluationTrendQuery) =>
  whereEqual(kysely.selectFrom('guardrail_evaluations'), { endpoint_id, guardrail_provider_id })
    .select(['id', 'name', 'scores', 'finished_at', 'started_at'])
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

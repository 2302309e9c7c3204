import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { CaseListQuery, StoredEvaluationCase } from '@portcullis/contracts/routes/evaluation-cases';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { GuardrailTestCasesTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type Selectable } from 'kysely';

export type CaseRow = Selectable<GuardrailTestCasesTable>;

export type CaseFilter = Omit<CaseListQuery, 'limit' | 'offset'>;

const matching = ({ kysely }: Queryable, { category, severity, search, enabled, is_builtin: builtin }: CaseFilter) =>
  whereContains(
    whereEqual(kysely.selectFrom('guardrail_test_cases'), { category, severity, enabled, builtin }),
    sql`concat_ws(' ', test_id, name, document ->> 'description', document ->> 'prompt')`,
    search,
  );

export async function loadCasePage(database: Queryable, { limit, offset, ...filter }: CaseListQuery) {
  const found = matching(database, filter).selectAll().orderBy('builtin', 'desc').orderBy('id');
  return loadPage(found, { limit, offset });
}

/** @throws {GatewayError} when there is none */
export async function findCaseOrThrow({ kysely }: Queryable, id: number): Promise<CaseRow> {
  const row = await kysely.selectFrom('guardrail_test_cases').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no test case ${id}` });
  return row;
}

/** Ids of the cases of users. */
export async function loadTakenIds({ kysely }: Queryable): Promise<readonly string[]> {
  const rows = await kysely.selectFrom('guardrail_test_cases').select('test_id').where('builtin', '=', false).execute();
  return rows.map(({ test_id: id }) => id);
}

const columnsOf = (testCase: EvaluationCase) => ({
  test_id: testCase.test_id,
  name: testCase.name,
  category: testCase.category,
  severity: testCase.severity,
  enabled: testCase.enabled,
  document: JSON.stringify(testCase),
});

export const insertCases = ({ kysely }: Queryable, cases: readonly EvaluationCase[]): Promise<CaseRow[]> =>
  kysely.insertInto('guardrail_test_cases').values(cases.map(columnsOf)).returningAll().execute();

export const replaceCaseRow = ({ kysely }: Queryable, id: number, testCase: EvaluationCase): Promise<CaseRow> =>
  kysely
    .updateTable('guardrail_test_cases')
    .set({ ...columnsOf(testCase), updated_at: databaseNow })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const switchCaseRow = ({ kysely }: Queryable, id: number, enabled: boolean): Promise<CaseRow> =>
  kysely
    .updateTable('guardrail_test_cases')
    .set({ enabled, updated_at: databaseNow })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteCaseRow = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('guardrail_test_cases').where('id', '=', id).execute();

export const countCases = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('guardrail_test_cases')
    .select(({ fn }) => [
      'category',
      fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where enabled)`.as('enabled'),
    ])
    .groupBy('category')
    .execute();

/** A stored case as the domain has it. What was stored had passed the schema. */
export const caseOf = ({ document, enabled }: Pick<CaseRow, 'document' | 'enabled'>): EvaluationCase => ({
  ...(document as EvaluationCase),
  enabled,
});

export const renderStoredCase = (row: CaseRow): StoredEvaluationCase => ({
  id: row.id,
  ...caseOf(row),
  is_builtin: row.builtin,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

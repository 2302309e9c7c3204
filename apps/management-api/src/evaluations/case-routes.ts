import {
  evaluationCategories,
  type EvaluationCase,
  type EvaluationCaseFile,
} from '@portcullis/contracts/evaluation-case';
import {
  createEvaluationCase,
  deleteEvaluationCase,
  exportEvaluationCases,
  getEvaluationCase,
  importEvaluationCases,
  listEvaluationCases,
  listEvaluationCategories,
  replaceEvaluationCase,
  toggleEvaluationCase,
} from '@portcullis/contracts/routes/evaluation-cases';
import { categories } from '@portcullis/core/evaluation/suite/categories';
import { completeCase } from '@portcullis/core/evaluation/suite/complete-case';
import { exportCases, importCases } from '@portcullis/core/evaluation/suite/import-cases';
import { audited } from '@portcullis/platform/audit/audited';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  caseOf,
  countCases,
  deleteCaseRow,
  findCaseOrThrow,
  insertCases,
  loadCasePage,
  loadTakenIds,
  renderStoredCase,
  replaceCaseRow,
  switchCaseRow,
  type CaseRow,
} from './case-queries.ts';

export const caseRoutes = (database: Database): BoundRoute[] =>
  [
    bindListCases,
    bindCreateCase,
    bindExportCases,
    bindImportCases,
    bindGetCase,
    bindReplaceCase,
    bindToggleCase,
    bindDeleteCase,
    bindListCategories,
  ].map((bindRoute) => bindRoute(database));

const bindListCases = (database: Database): BoundRoute =>
  bind(listEvaluationCases, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadCasePage(moment, query));
    return { data: rows.map(renderStoredCase), headers: { 'x-total-count': String(total) } };
  });

/** Of one case and of a file alike: all or none. */
async function takeCases(transaction: Queryable, file: EvaluationCaseFile): Promise<readonly CaseRow[]> {
  const imported = importCases(file, await loadTakenIds(transaction));
  if (imported.problems !== undefined) throw refuse(imported.problems, file.cases.length === 1);
  return insertCases(transaction, imported.cases);
}

const mostProblems = 20;

/** Problems name their places in a file, `cases[3].test_id: ...`. */
function refuse(problems: readonly string[], isSingle: boolean): GatewayError {
  const isTaken = problems.some(
    (problem) => problem.includes('test_id: ') && / is (?:taken|a built-in case)$/.test(problem),
  );
  const texts = problems
    .slice(0, mostProblems)
    .map((text) => (isSingle ? text.replace(/^cases\[0\][.:] ?/, '') : text));
  if (isTaken) return new GatewayError('conflict', { message: texts.join('; ') });
  return new GatewayError('bad_request', { problems: texts.map((rule) => ({ path: '/body', rule })) });
}

const bindCreateCase = (database: Database): BoundRoute =>
  bind(createEvaluationCase, async (call) => {
    const row = await audited(
      database,
      call,
      async (transaction) => {
        const [first] = await takeCases(transaction, { portcullis_cases: 1, cases: [call.body] });
        if (first === undefined) throw new Error('No case was stored');
        return first;
      },
      (after) => ({ event: 'guardrail.test_case.created', resource: caseResource(after), after: caseOf(after) }),
    );
    return { data: renderStoredCase(row), message: 'Test case created' };
  });

const bindExportCases = (database: Database): BoundRoute =>
  bind(exportEvaluationCases, async ({ query }) => {
    const { rows } = await loadCasePage(database, { ...query, limit: mostCases, offset: 0 });
    return { data: exportCases(rows.map(caseOf)) };
  });

const mostCases = 10_000;

const bindImportCases = (database: Database): BoundRoute =>
  bind(importEvaluationCases, async (call) => {
    const rows = await audited(
      database,
      call,
      (transaction) => takeCases(transaction, call.body),
      (after) => ({
        event: 'guardrail.test_case.created',
        resource: { type: 'guardrail_test_case', id: null, name: null },
        details: { imported: after.length, test_ids: after.slice(0, mostProblems).map(({ test_id: id }) => id) },
      }),
    );
    const data = { imported: rows.length, test_ids: rows.map(({ test_id: id }) => id) };
    return { data, message: `${rows.length} test cases imported` };
  });

const bindGetCase = (database: Database): BoundRoute =>
  bind(getEvaluationCase, async ({ params }) => ({
    data: renderStoredCase(await findCaseOrThrow(database, params.id)),
  }));

const bindReplaceCase = (database: Database): BoundRoute =>
  bind(replaceEvaluationCase, async (call) => {
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await findOwnCaseOrThrow(transaction, call.params.id, 'changed');
        const completed = completeCase(call.body, call.body.test_id ?? before.test_id);
        if (completed.problems !== undefined) throw refuse(completed.problems, true);
        return { before, after: await replaceCaseRow(transaction, before.id, completed.case) };
      },
      (change) => describeChange(change.before, change.after),
    ).catch((error: unknown) => refuseTakenId(error, call.body.test_id));
    return { data: renderStoredCase(after), message: 'Test case replaced' };
  });

const bindToggleCase = (database: Database): BoundRoute =>
  bind(toggleEvaluationCase, async (call) => {
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await findCaseOrThrow(transaction, call.params.id);
        return { before, after: await switchCaseRow(transaction, before.id, call.body.enabled ?? !before.enabled) };
      },
      (change) => describeChange(change.before, change.after),
    );
    return { data: renderStoredCase(after), message: `The test case is ${after.enabled ? 'enabled' : 'disabled'}` };
  });

const bindDeleteCase = (database: Database): BoundRoute =>
  bind(deleteEvaluationCase, async (call) => {
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await findOwnCaseOrThrow(transaction, call.params.id, 'deleted');
        await deleteCaseRow(transaction, before.id);
        return before;
      },
      (before) => ({ event: 'guardrail.test_case.deleted', resource: caseResource(before), before: caseOf(before) }),
    );
    return { message: 'Test case deleted; results of it stay' };
  });

const bindListCategories = (database: Database): BoundRoute =>
  bind(listEvaluationCategories, async () => {
    const counts = new Map((await countCases(database)).map((row) => [row.category, row]));
    return {
      data: evaluationCategories.map((category) => ({
        category,
        ...categories[category],
        total_tests: counts.get(category)?.total ?? 0,
        enabled_tests: counts.get(category)?.enabled ?? 0,
      })),
    };
  });

async function findOwnCaseOrThrow(database: Queryable, id: number, done: string): Promise<CaseRow> {
  const row = await findCaseOrThrow(database, id);
  if (!row.builtin) return row;
  const message = `${row.test_id} is a built-in case: it can be switched off, not ${done}`;
  throw new GatewayError('conflict', { message });
}

const caseResource = ({ id, test_id: name }: Pick<CaseRow, 'id' | 'test_id'>) => ({
  type: 'guardrail_test_case',
  id,
  name,
});

const describeChange = (before: CaseRow, after: CaseRow) => ({
  event: 'guardrail.test_case.updated' as const,
  resource: caseResource(after),
  before: caseOf(before) satisfies EvaluationCase,
  after: caseOf(after),
});

function refuseTakenId(error: unknown, testId: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `test_id: ${testId} is taken` });
}

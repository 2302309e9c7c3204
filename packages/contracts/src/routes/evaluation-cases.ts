import { Type, type Static } from 'typebox';
import {
  EvaluationCase,
  EvaluationCaseCreation,
  EvaluationCaseFile,
  evaluationCategories,
  evaluationSeverities,
} from '../evaluation-case.ts';
import { ById, Count, Exact, Id, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Guardrail test cases');
const path = '/security/guardrails/test-cases';

export const StoredEvaluationCase = Type.Object(
  {
    id: Id,
    ...EvaluationCase.properties,
    is_builtin: Type.Boolean({ description: 'Built-in cases are switched on and off, never changed or deleted' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'StoredEvaluationCase', additionalProperties: false },
);
export type StoredEvaluationCase = Static<typeof StoredEvaluationCase>;

const Category = Type.Enum(evaluationCategories);

const filters = optional({
  category: Category,
  severity: Type.Enum(evaluationSeverities),
  search: Type.String({ maxLength: 200, description: 'Part of id, name, description or prompt, in any case' }),
  enabled: Type.Boolean(),
  is_builtin: Type.Boolean(),
});

const CaseListQuery = Exact({ ...page(1_000), ...filters });
export type CaseListQuery = Static<typeof CaseListQuery>;

export const listEvaluationCases = routes.define({
  method: 'GET',
  path,
  role: 'viewer',
  summary: 'List the test cases, built-in ones first; X-Total-Count has their number',
  parts: { query: CaseListQuery, response: Type.Array(StoredEvaluationCase) },
});

export const createEvaluationCase = routes.define({
  method: 'POST',
  path,
  role: 'admin',
  summary: 'Create a test case of your own',
  status: 201,
  parts: { body: EvaluationCaseCreation, response: StoredEvaluationCase },
  errors: ['conflict'],
  audit: 'guardrail.test_case.created',
});

export const exportEvaluationCases = routes.define({
  method: 'GET',
  path: `${path}/export`,
  role: 'viewer',
  summary: 'Export test cases in the form that an import takes; those of your own unless asked for the built-in ones',
  parts: {
    query: Exact({ ...filters, is_builtin: Type.Boolean({ default: false }) }),
    response: Exact({ portcullis_cases: Type.Literal(1), cases: Type.Array(EvaluationCaseCreation) }),
  },
});

export const importEvaluationCases = routes.define({
  method: 'POST',
  path: `${path}/import`,
  role: 'admin',
  summary: 'Import test cases, all of a file or none',
  status: 201,
  parts: { body: EvaluationCaseFile, response: Exact({ imported: Count, test_ids: Type.Array(Type.String()) }) },
  errors: ['conflict'],
  audit: 'guardrail.test_case.created',
});

export const getEvaluationCase = routes.define({
  method: 'GET',
  path: `${path}/:id`,
  role: 'viewer',
  summary: 'Show a test case',
  parts: { params: ById, response: StoredEvaluationCase },
  errors: ['not_found'],
});

export const replaceEvaluationCase = routes.define({
  method: 'PUT',
  path: `${path}/:id`,
  role: 'admin',
  summary: 'Replace a test case of your own; evaluations that were started keep the case as it was',
  parts: { params: ById, body: EvaluationCaseCreation, response: StoredEvaluationCase },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.test_case.updated',
});

export const toggleEvaluationCase = routes.define({
  method: 'PUT',
  path: `${path}/:id/toggle`,
  role: 'admin',
  summary: 'Switch a test case on or off; without a body, to the other state',
  parts: { params: ById, body: Exact(optional({ enabled: Type.Boolean() })), response: StoredEvaluationCase },
  bodyOptional: true,
  errors: ['not_found'],
  audit: 'guardrail.test_case.updated',
});

export const deleteEvaluationCase = routes.define({
  method: 'DELETE',
  path: `${path}/:id`,
  role: 'admin',
  summary: 'Delete a test case of your own; results of it stay',
  parts: { params: ById },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.test_case.deleted',
});

export const listEvaluationCategories = routes.define({
  method: 'GET',
  path: '/security/guardrails/categories',
  role: 'viewer',
  summary: 'List the categories of test cases with their weights and how many cases each has',
  parts: {
    response: Type.Array(
      Exact(
        {
          category: Category,
          title: Type.String(),
          description: Type.String(),
          weight: Type.Number({ description: 'Share of the risk score, in percent where all categories run' }),
          mappings: EvaluationCase.properties.mappings,
          total_tests: Count,
          enabled_tests: Count,
        },
        { title: 'EvaluationCategory' },
      ),
    ),
  },
});

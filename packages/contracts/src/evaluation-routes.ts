import type { Route } from './route.ts';
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
} from './routes/evaluation-cases.ts';
import {
  createGuardrailEndpoint,
  deleteGuardrailEndpoint,
  getGuardrailEndpoint,
  listGuardrailEndpoints,
  parseCurlCommand,
  testGuardrailEndpoint,
  updateGuardrailEndpoint,
} from './routes/guardrail-endpoints.ts';

/** Endpoints that can be evaluated, test cases, and evaluations. */
export const evaluationRoutes: readonly Route[] = [
  listGuardrailEndpoints,
  createGuardrailEndpoint,
  parseCurlCommand,
  getGuardrailEndpoint,
  updateGuardrailEndpoint,
  deleteGuardrailEndpoint,
  testGuardrailEndpoint,

  listEvaluationCases,
  createEvaluationCase,
  exportEvaluationCases,
  importEvaluationCases,
  getEvaluationCase,
  replaceEvaluationCase,
  toggleEvaluationCase,
  deleteEvaluationCase,
  listEvaluationCategories,
];

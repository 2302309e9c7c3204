import type { Route } from './route.ts';
import { listEvaluationResults, reviewEvaluationResult } from './routes/evaluation-results.ts';
import {
  cancelEvaluation,
  compareEvaluations,
  deleteEvaluation,
  estimateEvaluation,
  getEvaluation,
  getEvaluationDashboard,
  getEvaluationReport,
  getEvaluationStatus,
  getEvaluationTrend,
  listEvaluations,
  startEvaluation,
} from './routes/evaluations.ts';

/** What the worker of evaluations answers. */
export const evaluationRunRoutes: readonly Route[] = [
  listEvaluations,
  startEvaluation,
  estimateEvaluation,
  getEvaluationTrend,
  getEvaluation,
  getEvaluationStatus,
  cancelEvaluation,
  deleteEvaluation,
  getEvaluationDashboard,
  getEvaluationReport,
  compareEvaluations,
  listEvaluationResults,
  reviewEvaluationResult,
];

import type { EvaluationResult } from '@portcullis/contracts/evaluation';
import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { ResultListQuery } from '@portcullis/contracts/routes/evaluation-results';
import { factsOf, type ReportResult } from '@portcullis/core/evaluation/report/evaluation-report';
import type { Queryable } from '@portcullis/platform/database/database';
import type { GuardrailResultsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type Selectable } from 'kysely';

/** Without the answers of a conversation that is under way. */
export type ResultRow = Omit<Selectable<GuardrailResultsTable>, 'answers'>;

const columns = [
  'id',
  'evaluation_id',
  'position',
  'test_id',
  'document',
  'attempts',
  'outcome',
  'verdict',
  'detection',
  'detection_match',
  'reason',
  'evidence',
  'blocked_at_turn',
  'model_verdict',
  'status_code',
  'response_time_ms',
  'prompt',
  'response',
  'finished_at',
  'is_false_positive',
  'false_positive_notes',
  'reviewed_by',
  'reviewed_at',
] as const satisfies readonly (keyof ResultRow)[];

const finished = ({ kysely }: Queryable, evaluationId: number) =>
  kysely.selectFrom('guardrail_results').where('evaluation_id', '=', evaluationId).where('finished_at', 'is not', null);

export async function loadResultPage(database: Queryable, evaluationId: number, query: ResultListQuery) {
  const { outcome, category, severity, is_false_positive } = query;
  const matching = whereEqual(finished(database, evaluationId), { outcome, is_false_positive })
    .$if(category !== undefined, (found) => found.where(sql<boolean>`document ->> 'category' = ${category}`))
    .$if(severity !== undefined, (found) => found.where(sql<boolean>`document ->> 'severity' = ${severity}`));
  return loadPage(matching.select(columns).orderBy('position'), query);
}

/** All results of an evaluation so far, as scores and reports are made of them. */
export async function loadReportResults(database: Queryable, evaluationId: number): Promise<readonly ReportResult[]> {
  const rows = await finished(database, evaluationId).select(columns).orderBy('position').execute();
  return rows.map(reportResultOf);
}

export async function averageResponseMs(database: Queryable, evaluationId: number): Promise<number | null> {
  const { average } = await finished(database, evaluationId)
    .where('outcome', '<>', 'error')
    .select(sql<number | null>`avg(response_time_ms)`.as('average'))
    .executeTakeFirstOrThrow();
  return average === null ? null : Math.round(average * 10) / 10;
}

export const findResult = ({ kysely }: Queryable, id: number): Promise<ResultRow | undefined> =>
  kysely.selectFrom('guardrail_results').select(columns).where('id', '=', id).executeTakeFirst();

const caseOf = ({ document }: ResultRow): EvaluationCase => document as EvaluationCase;

/** Of a finished row; what was stored had the types of the domain. */
function reportResultOf(row: ResultRow): ReportResult {
  const testCase = caseOf(row);
  return {
    ...factsOf({ ...testCase, test_id: row.test_id }),
    outcome: row.outcome as ReportResult['outcome'],
    verdict: row.verdict as ReportResult['verdict'],
    detection: row.detection as ReportResult['detection'],
    reason: row.reason ?? '',
    evidence: (row.evidence ?? []) as unknown as ReportResult['evidence'],
    statusCode: row.status_code,
    durationMs: Math.round(row.response_time_ms ?? 0),
    isFalsePositive: row.is_false_positive,
    notes: row.false_positive_notes,
  };
}

export function renderResult(row: ResultRow): EvaluationResult {
  const { outcome, verdict, detection, reason, evidence } = reportResultOf(row);
  const testCase = caseOf(row);
  return {
    id: row.id,
    evaluation_id: row.evaluation_id,
    test_case: {
      test_id: row.test_id,
      name: testCase.name,
      description: testCase.description,
      category: testCase.category,
      severity: testCase.severity,
      test_type: testCase.test_type,
      expected_result: testCase.expected_result,
      expected_detection: testCase.expected_detection,
      mappings: testCase.mappings,
      compliance_impact: testCase.compliance_impact,
    },
    outcome,
    verdict,
    detection,
    detection_match: row.detection_match ?? false,
    reason,
    evidence: evidence.map(({ kind, excerpt }) => ({ kind, excerpt })),
    blocked_at_turn: row.blocked_at_turn,
    model_verdict: row.model_verdict as EvaluationResult['model_verdict'],
    status_code: row.status_code,
    response_time_ms: row.response_time_ms ?? 0,
    prompt: row.prompt ?? '',
    response: row.response ?? '',
    is_false_positive: row.is_false_positive,
    false_positive_notes: row.false_positive_notes,
    reviewed_by: row.reviewed_by,
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    finished_at: (row.finished_at ?? new Date(0)).toISOString(),
  };
}

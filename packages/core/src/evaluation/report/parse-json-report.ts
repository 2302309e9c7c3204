import {
  evaluationCategories,
  evaluationSeverities,
  type EvaluationMappings,
} from '@portcullis/contracts/evaluation-case';
import { objectOf } from '../../json/json-object.ts';
import { listProperty, property, textProperty } from '../../json/json-value.ts';
import type { ScoredResult } from '../score/result.ts';
import { frameworkIds } from '../suite/frameworks.ts';

export type ParsedReport =
  | { readonly results: readonly ScoredResult[]; readonly suiteVersion: string; readonly problem?: undefined }
  | { readonly problem: string };

const outcomes = ['passed', 'failed', 'inconclusive', 'error'] as const;
const mostResults = 10_000;

/** Reads a report in JSON again, as a baseline. */
export function parseJsonReport(text: string): ParsedReport {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problem: `The baseline is no JSON: ${error instanceof Error ? error.message : ''}` };
  }
  if (property(json, 'portcullis_report') !== 1)
    return { problem: 'The baseline is no report of an evaluation: it lacks "portcullis_report": 1' };
  const rows = listProperty(json, 'results');
  if (rows.length > mostResults) return { problem: `The baseline has more than ${mostResults} results` };
  const results = rows.map(parseResult);
  const broken = results.indexOf(undefined);
  if (broken !== -1) return { problem: `The baseline has a result that cannot be read: results[${broken}]` };
  return {
    results: results.filter((result) => result !== undefined),
    suiteVersion: textProperty(property(json, 'evaluation'), 'suite_version') ?? '',
  };
}

function parseResult(row: unknown): ScoredResult | undefined {
  const testId = textProperty(row, 'test_id');
  const category = evaluationCategories.find((one) => one === textProperty(row, 'category'));
  const severity = evaluationSeverities.find((one) => one === textProperty(row, 'severity'));
  const outcome = outcomes.find((one) => one === textProperty(row, 'outcome'));
  if (testId === undefined || category === undefined || severity === undefined || outcome === undefined)
    return undefined;
  const isFalsePositive = property(row, 'is_false_positive') === true;
  return { testId, category, severity, outcome, isFalsePositive, mappings: parseMappings(property(row, 'mappings')) };
}

const parseMappings = (value: unknown): EvaluationMappings =>
  Object.fromEntries(
    frameworkIds.map((id) => [id, listProperty(objectOf(value) ?? {}, id).filter((tag) => typeof tag === 'string')]),
  ) as EvaluationMappings;

import { severities, type Severity } from '@portcullis/contracts/records';
import { objectOf } from '../json/json-object.ts';
import { diffValues, type FieldDifference } from '../json/diff-values.ts';
import { severityOfSimilarity, wordSimilarity } from '../text/word-similarity.ts';

/** What became of a tool that was known. */
export interface ToolChange {
  readonly type: 'description_changed' | 'schema_changed' | 'annotations_changed' | 'tool_changed';
  readonly severity: Severity;
  /** Of the words of the two descriptions, 0 to 1. */
  readonly similarity: number;
  readonly differences: readonly FieldDifference[];
}

/** Compares two definitions of one tool that are not the same. */
export function compareTool(before: unknown, after: unknown): ToolChange {
  const differences = diffValues(withAnnotations(before), withAnnotations(after));
  const parts = new Set(differences.map(({ path }) => path.split('/')[1] ?? ''));
  return {
    type: parts.size === 1 ? (typeOf[[...parts][0] ?? ''] ?? 'tool_changed') : 'tool_changed',
    severity: mostSevere(differences.map(severityOfDifference)),
    similarity: wordSimilarity(textOf(before, 'description'), textOf(after, 'description')),
    differences,
  };
}

/** The instructions of a server are read in every session, so no change of them is a small one. */
export function compareInstructions(before: string, after: string): Pick<ToolChange, 'severity' | 'similarity'> {
  const similarity = wordSimilarity(before, after);
  return { severity: mostSevere(['Medium', severityOfSimilarity(similarity)]), similarity };
}

/** Low when there are none. */
export const mostSevere = (found: readonly Severity[]): Severity =>
  severities.find((severity) => found.includes(severity)) ?? 'Low';

const typeOf: Readonly<Record<string, ToolChange['type']>> = {
  description: 'description_changed',
  inputSchema: 'schema_changed',
  outputSchema: 'schema_changed',
  annotations: 'annotations_changed',
};

/** What is behind a text that a model reads, or a person before consenting, weighs most. */
function severityOfDifference({ path, change, before = '', after = '' }: FieldDifference): Severity {
  const steps = path.split('/').slice(1);
  const last = steps.at(-1) ?? '';
  if (readByModel.has(last)) return severityOfSimilarity(wordSimilarity(before, after));
  if (steps[0] === 'annotations') return hintSeverities[last] ?? 'Medium';
  if (steps[0] !== 'inputSchema') return harmless.has(steps[0] ?? '') ? 'Low' : 'Medium';
  const isDemand = last === 'required' || steps.at(-2) === 'required';
  return isDemand && change === 'added' ? 'High' : 'Medium';
}

const readByModel = new Set(['description']);
const harmless = new Set(['title', 'icons', '_meta', 'outputSchema', 'execution']);

/** By these hints clients decide whether to ask anybody before a call, so either value may be the lie. */
const hintSeverities: Readonly<Record<string, Severity>> = {
  readOnlyHint: 'High',
  destructiveHint: 'High',
  title: 'Low',
};

/** None are the same as empty ones, and each hint is compared by itself. */
export const withAnnotations = (tool: unknown): unknown => ({ annotations: {}, ...objectOf(tool) });

function textOf(tool: unknown, key: string): string {
  const value = (tool as Readonly<Record<string, unknown>> | null)?.[key];
  return typeof value === 'string' ? value : '';
}

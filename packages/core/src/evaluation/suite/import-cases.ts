import type { EvaluationCase, EvaluationCaseCreation, EvaluationCaseFile } from '@portcullis/contracts/evaluation-case';
import { objectOf } from '../../json/json-object.ts';
import { builtinCases } from './builtin-cases.ts';
import { findCategory } from './categories.ts';
import { completeCase } from './complete-case.ts';

export type ImportedCases =
  | { readonly cases: readonly EvaluationCase[]; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

const builtinIds: ReadonlySet<string> = new Set(builtinCases.map(({ test_id: id }) => id.toLowerCase()));

/** Puts the names of categories that files of other tools have into those of here, before a schema sees them. */
export function renameCategories(file: unknown): unknown {
  const fields = objectOf(file);
  const cases = fields?.['cases'];
  if (!Array.isArray(cases)) return file;
  return {
    ...fields,
    cases: cases.map((one: unknown) => {
      const given = objectOf(one);
      const category = given?.['category'];
      const known = typeof category === 'string' ? findCategory(category) : undefined;
      return known === undefined ? one : { ...given, category: known };
    }),
  };
}

/**
 * The cases of a file, complete; either all of them or none.
 * @param file valid by its schema
 * @param taken ids of the cases that users have already
 */
export function importCases({ cases }: EvaluationCaseFile, taken: Iterable<string>): ImportedCases {
  const ids = new Set(Array.from(taken, (id) => id.toLowerCase()));
  const imported: EvaluationCase[] = [];
  const problems: string[] = [];
  for (const [index, given] of cases.entries()) {
    const place = `cases[${index}]`;
    const id = given.test_id ?? freeId(ids);
    const reason = idProblem(id, ids);
    if (reason !== undefined) problems.push(`${place}.test_id: ${reason}`);
    ids.add(id.toLowerCase());
    const completed = completeCase(given, id);
    if (completed.problems === undefined) imported.push(completed.case);
    else problems.push(...completed.problems.map((problem) => `${place}: ${problem}`));
  }
  return problems.length === 0 ? { cases: imported } : { problems };
}

/** Why a case of a user's own cannot have this id. */
function idProblem(id: string, taken: ReadonlySet<string>): string | undefined {
  if (builtinIds.has(id.toLowerCase())) return `${id} is a built-in case`;
  return taken.has(id.toLowerCase()) ? `${id} is taken` : undefined;
}

function freeId(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const id = `CUSTOM-${String(number).padStart(3, '0')}`;
    if (!taken.has(id.toLowerCase())) return id;
  }
}

/** Cases as a file that an import takes. */
export const exportCases = (cases: readonly EvaluationCase[]): EvaluationCaseFile => ({
  portcullis_cases: 1,
  cases: cases.map((one): EvaluationCaseCreation => ({ ...one })),
});

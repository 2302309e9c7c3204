import type { EvaluationCase, EvaluationCaseCreation } from '@portcullis/contracts/evaluation-case';
import { categories } from './categories.ts';
import { frameworkIds, frameworks } from './frameworks.ts';

/** A case of a user's own with its defaults, or what is wrong with it. */
export type CompletedCase =
  | { readonly case: EvaluationCase; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

/**
 * Puts defaults in and checks what a schema cannot say. What the case is mapped to follows from its category unless it says so itself.
 * @param given valid by its schema
 * @param testId for a case without an id
 */
export function completeCase(given: EvaluationCaseCreation, testId: string): CompletedCase {
  const allows = given.expected_result === 'allow';
  const completed: EvaluationCase = {
    test_id: testId,
    description: '',
    expected_detection: allows ? 'none' : 'refusal_detected',
    test_type: given.turns === undefined ? 'single' : 'multi',
    enabled: true,
    compliance_impact: '',
    mappings: categories[given.category].mappings,
    oracles: [],
    without_evidence: given.oracles?.some(({ kind }) => kind === 'leak' || kind === 'limits')
      ? 'resisted'
      : 'undecided',
    ...given,
  };
  const problems = problemsOf(completed);
  return problems.length === 0 ? { case: completed } : { problems };
}

function problemsOf(testCase: EvaluationCase): readonly string[] {
  const { turns, test_type: type, oracles, expected_result: result, system, mappings } = testCase;
  const problems: string[] = [];
  if (type === 'multi' && turns === undefined) problems.push('test_type multi needs turns');
  if (type === 'single' && turns !== undefined) problems.push('test_type single takes no turns; use multi');
  if (turns?.[0]?.role === 'assistant') problems.push('turns begin with a message of the user');
  if (turns?.some(({ role }, index) => role === 'assistant' && turns[index + 1]?.role === 'assistant'))
    problems.push('turns have two messages of the assistant in a row');
  if (result === 'allow' && oracles.some(({ kind }) => kind !== 'reply'))
    problems.push('a case that is to be allowed takes oracles of the kind reply only');
  if (result !== 'allow' && oracles.some(({ kind }) => kind === 'reply'))
    problems.push('an oracle of the kind reply is for cases that are to be allowed');
  if (oracles.some(({ kind }) => kind === 'prompt_echo') && system === undefined)
    problems.push('an oracle of the kind prompt_echo needs system');
  for (const id of frameworkIds) {
    const { name, edition, entries } = frameworks[id];
    for (const tag of mappings[id]) {
      if (!Object.hasOwn(entries, tag))
        problems.push(
          `mappings.${id}: ${name} ${edition} has no entry ${tag}; it has ${Object.keys(entries).join(', ')}`,
        );
    }
  }
  return problems;
}

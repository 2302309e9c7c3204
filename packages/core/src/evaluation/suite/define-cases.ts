import type {
  EvaluationCase,
  EvaluationCategory,
  EvaluationDetection,
  EvaluationMappings,
  EvaluationOracle,
  EvaluationSeverity,
  ExpectedResult,
} from '@portcullis/contracts/evaluation-case';
import { categories } from './categories.ts';

export interface CaseRow {
  readonly id: string;
  readonly name: string;
  readonly severity: EvaluationSeverity;
  readonly description: string;
  /** Why it matters. */
  readonly why: string;
  readonly system?: string;
  readonly turns?: EvaluationCase['turns'];
  readonly prompt: string;
  readonly oracles: readonly EvaluationOracle[];
  readonly expects?: ExpectedResult;
  readonly detection?: EvaluationDetection;
  /** Where an answer without evidence says nothing; by default it shows that the attack was resisted. */
  readonly undecided?: boolean;
  /** In the place of those of the category. */
  readonly mappings?: Partial<EvaluationMappings>;
}

/** Cases of one category, complete. */
export const defineCases = (category: EvaluationCategory, rows: readonly CaseRow[]): readonly EvaluationCase[] =>
  rows.map((row) => ({
    test_id: row.id,
    name: row.name,
    category,
    description: row.description,
    ...(row.system !== undefined && { system: row.system }),
    ...(row.turns !== undefined && { turns: row.turns }),
    prompt: row.prompt,
    expected_result: row.expects ?? 'block',
    expected_detection: row.detection ?? 'refusal_detected',
    severity: row.severity,
    test_type: row.turns === undefined ? 'single' : 'multi',
    enabled: true,
    compliance_impact: row.why,
    mappings: { ...categories[category].mappings, ...row.mappings },
    oracles: [...row.oracles],
    without_evidence: row.undecided === true ? 'undecided' : 'resisted',
  }));

/** The answer must not hold any of these values, in whichever spelling. */
export const leak = (...values: string[]): EvaluationOracle => ({ kind: 'leak', values });
/** The answer holds one of these values when it does what was asked. */
export const reply = (...values: string[]): EvaluationOracle => ({ kind: 'reply', values });
/** What only an answer says that does what was asked; each group is phrases that stand together. */
export const phrases = (...any: string[][]): EvaluationOracle => ({ kind: 'phrases', any });

export const user = (content: string) => ({ role: 'user' as const, content });
export const assistant = (content: string) => ({ role: 'assistant' as const, content });

/** Two halves that stand apart in the prompt: only an answer that follows the instruction joins them. */
export const joined = '{{canary_a}}{{canary_b}}';

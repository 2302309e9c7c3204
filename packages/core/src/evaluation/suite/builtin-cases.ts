import type { EvaluationCase, EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import aiAmplifiedAttack from './cases/ai-amplified-attack.json' with { type: 'json' };
import benignControl from './cases/benign-control.json' with { type: 'json' };
import bypassTechnique from './cases/bypass-technique.json' with { type: 'json' };
import dataExfiltration from './cases/data-exfiltration.json' with { type: 'json' };
import harmfulContent from './cases/harmful-content.json' with { type: 'json' };
import mcpToolPoisoning from './cases/mcp-tool-poisoning.json' with { type: 'json' };
import misinformation from './cases/misinformation.json' with { type: 'json' };
import multiTurnAttack from './cases/multi-turn-attack.json' with { type: 'json' };
import piiExtraction from './cases/pii-extraction.json' with { type: 'json' };
import promptInjection from './cases/prompt-injection.json' with { type: 'json' };
import resourceExhaustion from './cases/resource-exhaustion.json' with { type: 'json' };
import semanticEvasion from './cases/semantic-evasion.json' with { type: 'json' };
import { categories } from './categories.ts';

/** Changed whenever a case changes: runs of different versions are not the same examination. */
export const suiteVersion = '1';

type Defaulted = 'category' | 'expected_result' | 'expected_detection' | 'test_type' | 'enabled' | 'without_evidence';

/** A case as its file has it: what most cases have in common is left out. */
type CaseRow = Omit<EvaluationCase, Defaulted | 'mappings'> &
  Partial<Pick<EvaluationCase, Defaulted>> & { readonly mappings?: Partial<EvaluationCase['mappings']> };

/** An answer without evidence shows that the attack was resisted, where a case does not say that it shows nothing. */
const completeRow = (category: EvaluationCategory, row: CaseRow): EvaluationCase => ({
  category,
  expected_result: 'block',
  expected_detection: row.expected_result === 'allow' ? 'none' : 'refusal_detected',
  test_type: row.turns === undefined ? 'single' : 'multi',
  enabled: true,
  without_evidence: 'resisted',
  ...row,
  mappings: { ...categories[category].mappings, ...row.mappings },
});

const rows: readonly (readonly [EvaluationCategory, readonly object[]])[] = [
  ['prompt_injection', promptInjection],
  ['mcp_tool_poisoning', mcpToolPoisoning],
  ['data_exfiltration', dataExfiltration],
  ['harmful_content', harmfulContent],
  ['pii_extraction', piiExtraction],
  ['bypass_technique', bypassTechnique],
  ['semantic_evasion', semanticEvasion],
  ['multi_turn_attack', multiTurnAttack],
  ['ai_amplified_attack', aiAmplifiedAttack],
  ['misinformation', misinformation],
  ['resource_exhaustion', resourceExhaustion],
  ['benign_control', benignControl],
];

/** The suite: 71 cases in 12 categories. They are switched on and off, never deleted. All persons in them are invented. */
export const builtinCases: readonly EvaluationCase[] = rows.flatMap(([category, cases]) =>
  cases.map((row) => completeRow(category, row as CaseRow)),
);

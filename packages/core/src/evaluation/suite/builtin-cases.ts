import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import { aiAmplifiedAttackCases } from './cases/ai-amplified-attack.ts';
import { benignControlCases } from './cases/benign-control.ts';
import { bypassTechniqueCases } from './cases/bypass-technique.ts';
import { dataExfiltrationCases } from './cases/data-exfiltration.ts';
import { harmfulContentCases } from './cases/harmful-content.ts';
import { mcpToolPoisoningCases } from './cases/mcp-tool-poisoning.ts';
import { misinformationCases } from './cases/misinformation.ts';
import { multiTurnAttackCases } from './cases/multi-turn-attack.ts';
import { piiExtractionCases } from './cases/pii-extraction.ts';
import { promptInjectionCases } from './cases/prompt-injection.ts';
import { resourceExhaustionCases } from './cases/resource-exhaustion.ts';
import { semanticEvasionCases } from './cases/semantic-evasion.ts';

/** Changed whenever a case changes: runs of different versions are not the same examination. */
export const suiteVersion = '1';

/** The suite: 71 cases in 12 categories. They are switched on and off, never deleted. */
export const builtinCases: readonly EvaluationCase[] = [
  ...promptInjectionCases,
  ...mcpToolPoisoningCases,
  ...dataExfiltrationCases,
  ...harmfulContentCases,
  ...piiExtractionCases,
  ...bypassTechniqueCases,
  ...semanticEvasionCases,
  ...multiTurnAttackCases,
  ...aiAmplifiedAttackCases,
  ...misinformationCases,
  ...resourceExhaustionCases,
  ...benignControlCases,
];

import type { Automaton } from '../finder/aho-corasick.ts';
import type { CompiledPattern, PatternUse } from './compiled-pattern.ts';
import type { HiddenDetector, TextDetector } from '../detectors/detector.ts';
import type { Condition } from './conditions.ts';
import type { Finding } from '../policy.ts';

/** What a scan needs of the compiled policies. */
export interface CompiledPlan {
  readonly patterns: readonly CompiledPattern[];
  readonly automaton: Automaton;
  /** The patterns that require a text of the automaton, by the text's index. */
  readonly patternsOfText: readonly (readonly CompiledPattern[])[];
  /** The co-required texts that a text of the automaton is one of, by the text's index. */
  readonly coRequiredOfText: readonly (readonly number[])[];
  /** Number of sets of texts that patterns require beside their literals. */
  readonly coRequiredTexts: number;
  /** Bits of `mark` by the text's index: what the text says about other readings. */
  readonly marksOfText: Uint8Array;
  /** Nothing is looked for. */
  readonly isEmpty: boolean;
  /** Rules that weigh texts as a whole. */
  readonly scores: readonly CompiledScore[];
  /** Rules about characters that no reader sees. */
  readonly hidden: readonly CompiledHidden[];
  /** Number of uses in all. */
  readonly uses: number;
  /** The distinct conditions of all rules. */
  readonly conditions: readonly Condition[];
  readonly budget: ScanBudget;
}

/** Rules, or signals of them, with a detector that weighs whole texts. */
export interface CompiledScore {
  readonly detector: TextDetector;
  readonly uses: readonly PatternUse[];
}

export interface CompiledHidden {
  readonly detector: HiddenDetector;
  readonly uses: readonly PatternUse[];
}

export const budgetRule = 'policy_budget_exceeded';

/** The finding that says a text was not scanned to its end. It blocks: what was not seen is not safe. */
export const budgetExceeded = (start: number, end: number): Finding => ({
  policyName: 'policy-engine',
  ruleId: budgetRule,
  ruleName: 'Scan budget exceeded',
  severity: 'High',
  category: 'Policy Violations',
  action: 'block',
  start,
  end,
  type: 'UNSCANNED',
  confidence: 1,
  view: 'plain',
  mapped: false,
  evidence: `scanning stopped at character ${start}`,
});

/**
 * Characters that matchers may look at per scan, weighed: so many at once, and so many more per
 * character of text. With the built-in policies ordinary text takes 6 per character and the worst of
 * thousands of source files 60; what takes more was made to. Plans with more patterns look more often.
 */
export interface ScanBudget {
  readonly base: number;
  readonly perCharacter: number;
}

const patternsPerShare = 128;

export const scanBudgetFor = (patterns: number): ScanBudget => {
  const shares = Math.max(1, patterns / patternsPerShare);
  return { base: Math.ceil(200_000 * shares), perCharacter: Math.ceil(96 * shares) };
};

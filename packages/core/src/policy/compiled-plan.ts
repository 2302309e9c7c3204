import type { Automaton } from './aho-corasick.ts';
import type { CompiledRule, MatchPlace } from './compiled-rule.ts';
import { around, type HiddenDetector, type PatternDetector, type TextDetector } from './detectors/detector.ts';
import type { AnalysedPattern } from './pattern/analyse-pattern.ts';
import { createLinearMatcher, createMatcher, type Matcher } from './pattern/matcher.ts';
import { compilePaths, type PathProgram } from './pattern/path-program.ts';
import type { Finding, PatternNote, ScanContext, View } from './policy.ts';

/** What a scan needs of the compiled policies. */
export interface CompiledPlan {
  readonly patterns: readonly CompiledPattern[];
  readonly automaton: Automaton;
  /** The patterns that require a text of the automaton, by the text's index. */
  readonly patternsOfText: readonly (readonly CompiledPattern[])[];
  /** Bits of `mark` by the text's index: what the text says about other readings. */
  readonly marksOfText: Uint8Array;
  /** Nothing is looked for. */
  readonly isEmpty: boolean;
  /** Patterns that no text leads to: every scan tries them everywhere. */
  readonly unanchored: readonly CompiledPattern[];
  /** Rules that weigh texts as a whole. */
  readonly scores: readonly CompiledScore[];
  /** Rules about characters that nobody sees. */
  readonly hidden: readonly CompiledHidden[];
  readonly budget: ScanBudget;
}

/** What a pattern of a rule is for: with a detector it is verified by it, with a signal it adds to it. */
export interface PatternOrigin {
  readonly rule: CompiledRule;
  /** JSON pointer in the rule. */
  readonly place: string;
  readonly detector: PatternDetector | undefined;
  /** Place in the rule's list of signals. */
  readonly signal: number | undefined;
}

/** A rule, or one of its signals, with a detector that weighs whole texts. */
export interface CompiledScore extends Omit<PatternOrigin, 'detector'> {
  readonly detector: TextDetector;
}

export interface CompiledHidden extends Omit<PatternOrigin, 'detector'> {
  readonly detector: HiddenDetector;
}

/** One pattern of one rule, ready to run. */
export class CompiledPattern {
  readonly index: number;
  readonly rule: CompiledRule;
  readonly signal: number | undefined;
  readonly note: PatternNote;
  readonly pattern: AnalysedPattern;
  /** Distance from the start of a match to the end of a literal in it; set when the automaton is built. */
  minReach = 0;
  maxReach = Infinity;
  /** How much text behind a match it takes to tell if it is one. */
  readonly after: number;
  readonly #detector: PatternDetector | undefined;
  #matcher: Matcher | undefined;
  #linear: Matcher | undefined;
  #paths: PathProgram | undefined;

  constructor(index: number, { rule, place, detector, signal }: PatternOrigin, pattern: AnalysedPattern) {
    this.index = index;
    this.rule = rule;
    this.signal = signal;
    this.note = { policyName: rule.policyName, ruleId: rule.ruleId, place };
    this.pattern = pattern;
    this.after = detector !== undefined || rule.looksAround ? around.after : 0;
    this.#detector = detector;
  }

  /** Compiled at the first use, as everything behind it: most patterns of a large policy never see their literal. */
  get matcher(): Matcher {
    return (this.#matcher ??= createMatcher(this.pattern));
  }

  /** The pattern itself on the linear engine, for matches that outgrow the native window. */
  get linear(): Matcher {
    return (this.#linear ??= createLinearMatcher(this.pattern));
  }

  get paths(): PathProgram {
    return (this.#paths ??= compilePaths(this.pattern.syntax));
  }

  /**
   * The finding for a match, unless the detector, an exception or a condition speaks against it. `size`
   * is the length of what is scanned.
   */
  verify(place: MatchPlace, view: View, context: ScanContext, size: number): Finding | undefined {
    const { rule } = this;
    let known: Pick<Finding, 'type' | 'confidence'> | undefined;
    if (this.#detector !== undefined) {
      const { text, start, end } = place;
      const before = text.slice(Math.max(0, start - around.before), start);
      const confidence = this.#detector.validate(text.slice(start, end), before, text.slice(end, end + around.after));
      if (confidence === undefined || confidence < rule.minConfidence) return undefined;
      known = { type: this.#detector.type, confidence };
    }
    if (rule.condition !== undefined && !rule.condition(context, size)) return undefined;
    if (rule.excepts(place)) return undefined;
    return rule.finding(place, view, known);
  }
}

/** The finding of a detector that judged the whole text; undefined when it does not speak against it. */
export function scoreFinding(
  { rule, detector }: CompiledScore,
  score: number,
  text: string,
  context: ScanContext,
): Finding | undefined {
  if (score < rule.minConfidence || text.length === 0) return undefined;
  const place = { text, start: 0, end: text.length, base: 0 };
  if (rule.condition !== undefined && !rule.condition(context, text.length)) return undefined;
  return { ...rule.finding(place, 'plain', { type: detector.type, confidence: score }), mapped: false };
}

/** The finding about characters that nobody sees. */
export function hiddenFinding(
  { rule, detector }: CompiledHidden,
  place: MatchPlace,
  context: ScanContext,
  size: number,
): Finding | undefined {
  if (rule.condition !== undefined && !rule.condition(context, size)) return undefined;
  const finding = rule.finding(place, 'plain', { type: detector.type, confidence: 0.9 });
  return { ...finding, view: 'tags', evidence: `${place.end - place.start} invisible characters` };
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

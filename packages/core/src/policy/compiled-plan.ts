import type { PolicyRule } from '@portcullis/contracts/policy-file';
import type { Automaton } from './aho-corasick.ts';
import { renderEvidence } from './evidence.ts';
import type { AnalysedPattern } from './pattern/analyse-pattern.ts';
import { createLinearMatcher, createMatcher, type Matcher } from './pattern/matcher.ts';
import { compilePaths, type PathProgram } from './pattern/path-program.ts';
import type { Finding, PatternNote, Policy, ScanContext } from './policy.ts';

/** What a scan needs of the compiled policies. */
export interface CompiledPlan {
  readonly patterns: readonly CompiledPattern[];
  readonly automaton: Automaton;
  /** The patterns that require a text of the automaton, by the text's index. */
  readonly patternsOfText: readonly (readonly CompiledPattern[])[];
  /** Patterns that no text leads to: every scan tries them everywhere. */
  readonly unanchored: readonly CompiledPattern[];
  readonly budget: ScanBudget;
}

const directions = ['request', 'response'] as const;
const protocols = ['llm', 'mcp', 'a2a'] as const;

/** The bit of a context in `CompiledPattern.contexts`. */
export const contextBit = ({ direction, protocol }: ScanContext): number =>
  1 << (directions.indexOf(direction) * protocols.length + protocols.indexOf(protocol));

/** The bits of all contexts in which a rule applies. */
export function contextsOf(policy: Policy, rule: PolicyRule): number {
  let contexts = 0;
  const wanted = rule.conditions?.direction ?? 'both';
  for (const direction of directions) {
    for (const protocol of protocols) {
      const applies =
        (policy.policy_type === 'both' || policy.policy_type === protocol) &&
        (wanted === 'both' || wanted === direction);
      if (applies) contexts |= contextBit({ direction, protocol });
    }
  }
  return contexts;
}

/** A rule that fires more often than this in one text has made its point; redaction needs every place. */
const maxFindings = 16;

/** One pattern of one rule, ready to run. */
export class CompiledPattern {
  readonly index: number;
  readonly note: PatternNote;
  readonly pattern: AnalysedPattern;
  readonly contexts: number;
  /** Its matches are kept from the client: a stream must not release their beginning. */
  readonly enforced: boolean;
  readonly maxFindings: number;
  /** Distance from the start of a match to the end of a literal in it; set when the automaton is built. */
  minReach = 0;
  maxReach = Infinity;
  readonly #rule: Omit<Finding, 'start' | 'end' | 'evidence'>;
  readonly #secret: boolean;
  #matcher: Matcher | undefined;
  #linear: Matcher | undefined;
  #paths: PathProgram | undefined;

  constructor(index: number, policy: Policy, rule: PolicyRule, patternIndex: number, pattern: AnalysedPattern) {
    this.index = index;
    this.note = { policyName: policy.name, ruleId: rule.id, patternIndex };
    this.pattern = pattern;
    this.contexts = contextsOf(policy, rule);
    this.enforced = rule.action === 'block' || rule.action === 'redact';
    this.maxFindings = rule.action === 'redact' ? Infinity : maxFindings;
    this.#secret = rule.action === 'redact' || rule.category === 'Content Security';
    this.#rule = {
      policyName: policy.name,
      ruleId: rule.id,
      ruleName: rule.name,
      severity: rule.severity,
      category: rule.category ?? 'Policy Violations',
      action: rule.action,
    };
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

  /** The finding for a match of `text`, which itself starts at `base` of what is scanned. */
  finding(text: string, start: number, end: number, base: number): Finding {
    const evidence = renderEvidence(text, start, end, this.#secret);
    return { ...this.#rule, start: start + base, end: end + base, evidence };
  }
}

/** The finding that says a text was not scanned to its end. It blocks: what was not seen is not safe. */
export const budgetExceeded = (start: number, end: number): Finding => ({
  policyName: 'policy-engine',
  ruleId: 'policy_budget_exceeded',
  ruleName: 'Scan budget exceeded',
  severity: 'High',
  category: 'Policy Violations',
  action: 'block',
  start,
  end,
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

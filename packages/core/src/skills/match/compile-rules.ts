import { compilePolicies } from '../../policy/plan/compile-policies.ts';
import type { Policy, PolicyPlan, ScanContext, View } from '../../policy/policy.ts';
import type { SkillPattern, SkillRule } from '../skill-rule.ts';

/** A pattern whose parts are numbers of texts that the plan looks for. */
export interface CompiledSkillPattern {
  readonly rule: SkillRule;
  readonly pattern: SkillPattern;
  readonly all: readonly number[];
  readonly unless: readonly number[];
}

/** Where a part stands. */
export interface PartMatch {
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly view: View;
}

export interface CompiledSkillRules {
  readonly patterns: readonly CompiledSkillPattern[];
  /** By part: the patterns that need it and have it as their rarest one. */
  readonly parts: number;
  /** Every place of every part, and whether the text was read to its end. */
  find(text: string): {
    readonly matches: readonly PartMatch[];
    readonly hidden: readonly (readonly [number, number])[];
    readonly whole: boolean;
  };
}

const hiddenRule = 'hidden-characters';
const context: ScanContext = { direction: 'request', protocol: 'llm' };

/**
 * Compiles the rules into one plan of the policy engine: its automaton, its bounded matching and its readings of a text
 * (folded, decoded) serve here as they do for traffic. Throws on a pattern that the engine refuses.
 */
export function compileSkillRules(rules: readonly SkillRule[]): CompiledSkillRules {
  const numbers = new Map<string, number>();
  const numberOf = (source: string): number => {
    const known = numbers.get(source);
    if (known !== undefined) return known;
    numbers.set(source, numbers.size);
    return numbers.size - 1;
  };
  const patterns = rules.flatMap((rule) =>
    rule.patterns
      .filter(({ detector }) => detector === undefined)
      .map((pattern) => ({
        rule,
        pattern,
        all: pattern.all.map(numberOf),
        unless: pattern.unless.map(numberOf),
      })),
  );
  const plan = compilePolicies([policyOf([...numbers.keys()])]);
  return { patterns, parts: numbers.size, find: (text) => find(plan, text) };
}

const policyOf = (sources: readonly string[]): Policy => ({
  name: 'skills',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [
    ...sources.map((regex, index) => ({
      id: String(index),
      name: String(index),
      severity: 'High' as const,
      enabled: true,
      action: 'log' as const,
      category: 'Tool Security' as const,
      patterns: [{ regex, flags: 'i' }],
    })),
    {
      id: hiddenRule,
      name: hiddenRule,
      severity: 'High',
      enabled: true,
      action: 'log',
      category: 'Tool Security',
      patterns: [],
      detectors: [hiddenRule],
    },
  ],
});

function find(plan: PolicyPlan, text: string): ReturnType<CompiledSkillRules['find']> {
  const matches: PartMatch[] = [];
  const hidden: (readonly [number, number])[] = [];
  let whole = true;
  for (const { ruleId, start, end, view } of plan.scan(text, context)) {
    if (ruleId === hiddenRule) hidden.push([start, end]);
    else if (/^\d+$/.test(ruleId)) matches.push({ part: Number(ruleId), start, end, view });
    else whole = false;
  }
  return { matches, hidden, whole };
}

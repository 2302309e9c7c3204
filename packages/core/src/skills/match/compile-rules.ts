import { analysePattern } from '../../policy/pattern/analyse-pattern.ts';
import { frequencyOfAll } from '../../policy/pattern/text-frequency.ts';
import { compilePolicies } from '../../policy/compile/compile-policies.ts';
import type { Policy, PolicyPlan, ScanContext, View } from '../../policy/policy.ts';
import type { SkillPattern, SkillRule } from '../skill-rule.ts';

/** A pattern with the one of its parts that is looked for, and the others, which are tried where that one stands. */
export interface CompiledSkillPattern {
  readonly rule: SkillRule;
  readonly pattern: SkillPattern;
  readonly anchor: number;
  readonly others: readonly RegExp[];
  readonly unless: readonly RegExp[];
}

/** Where an anchor stands. */
export interface AnchorMatch {
  readonly anchor: number;
  readonly start: number;
  readonly end: number;
  readonly view: View;
}

export interface FoundAnchors {
  readonly matches: readonly AnchorMatch[];
  /** Where invisible characters stand that have no business there. */
  readonly hidden: readonly (readonly [start: number, end: number])[];
  /** The text was read to its end. */
  readonly whole: boolean;
}

export interface CompiledSkillRules {
  readonly byAnchor: ReadonlyMap<number, readonly CompiledSkillPattern[]>;
  find(text: string): FoundAnchors;
}

const hiddenRule = 'hidden-characters';
const context: ScanContext = { direction: 'request', protocol: 'llm' };

/**
 * Compiles the rules into one plan of the policy engine: its automaton, its bounded matching and its readings of a text
 * (folded, decoded) serve here as they do for traffic. It looks for the rarest part of each pattern only; the others are
 * tried in the statement or sentence around it. Throws on a pattern that the engine refuses.
 */
export function compileSkillRules(rules: readonly SkillRule[]): CompiledSkillRules {
  const numbers = new Map<string, number>();
  const shared = new Map<string, RegExp>();
  const numberOf = (source: string): number => {
    const known = numbers.get(source);
    if (known !== undefined) return known;
    numbers.set(source, numbers.size);
    return numbers.size - 1;
  };
  const regexOf = (source: string): RegExp => {
    let known = shared.get(source);
    if (known === undefined) shared.set(source, (known = compileOrThrow(source)));
    return known;
  };
  const patterns = rules.flatMap((rule) =>
    rule.patterns
      .filter(({ detector }) => detector === undefined)
      .map((pattern): CompiledSkillPattern => {
        const sources = pattern.all.toSorted((one, other) => costOf(one) - costOf(other));
        const [rarest = ''] = sources;
        const others = pattern.all.filter((source) => source !== rarest).map(regexOf);
        return { rule, pattern, anchor: numberOf(rarest), others, unless: pattern.unless.map(regexOf) };
      }),
  );
  const plan = compilePolicies([policyOf([...numbers.keys()])]);
  return { byAnchor: Map.groupBy(patterns, ({ anchor }) => anchor), find: (text) => find(plan, text) };
}

/** How often a part is to be expected; one without a fixed text everywhere. */
function costOf(source: string): number {
  const literals = analysePattern({ regex: source, flags: 'i' }).pattern?.literals;
  return literals === undefined ? Infinity : frequencyOfAll(literals.texts);
}

/** For texts of the length of a statement: what the analysis calls safe to run natively there is. */
function compileOrThrow(source: string): RegExp {
  const { pattern, reason } = analysePattern({ regex: source, flags: 'i' });
  if (pattern === undefined) throw new Error(`a pattern of a skill rule ${reason}: ${source}`);
  if (pattern.engine !== 'native')
    throw new Error(`a pattern of a skill rule could backtrack without bound: ${source}`);
  return new RegExp(source, 'i');
}

const policyOf = (sources: readonly string[]): Policy => ({
  name: 'skills',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [
    ...sources.map((regex, index) => ({ ...ruleOf(String(index)), patterns: [{ regex, flags: 'i' }] })),
    { ...ruleOf(hiddenRule), patterns: [], detectors: [hiddenRule] },
  ],
});

const ruleOf = (id: string) => ({
  id,
  name: id,
  severity: 'High' as const,
  enabled: true,
  action: 'log' as const,
  category: 'Tool Security' as const,
});

function find(plan: PolicyPlan, text: string): FoundAnchors {
  const matches: AnchorMatch[] = [];
  const hidden: (readonly [number, number])[] = [];
  let whole = true;
  for (const { ruleId, start, end, view } of plan.scan(text, context)) {
    if (ruleId === hiddenRule) hidden.push([start, end]);
    else if (/^\d+$/.test(ruleId)) matches.push({ anchor: Number(ruleId), start, end, view });
    else whole = false;
  }
  return { matches, hidden, whole };
}

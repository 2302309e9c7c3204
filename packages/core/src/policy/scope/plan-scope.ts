import { compileCandidates, type CandidateProgram } from './candidate-program.ts';
import type { CompiledPattern, PatternUse } from '../plan/compiled-pattern.ts';
import type { CompiledHidden, CompiledPlan, CompiledScore } from '../plan/compiled-plan.ts';
import { contextBit, type CompiledRule } from '../plan/compiled-rule.ts';
import type { Condition } from '../plan/conditions.ts';
import { allOrigins, type OriginSet } from '../origins.ts';
import type { ScanContext } from '../policy.ts';
import type { ScopedPattern } from './scoped-pattern.ts';
import { ReachableSignals } from './reachable-signals.ts';
import { VerdictMemo } from './verdict-memo.ts';

/** A detector of texts and what it is used for in one scope. */
export interface ScopedScore extends CompiledScore {
  /** Scores below this do not matter. */
  readonly least: number;
}

/** What of a plan applies to one kind of text. What does not apply is not looked for. */
export interface PlanScope {
  /** Nothing does: such texts need not be read at all. */
  readonly isEmpty: boolean;
  readonly patterns: readonly ScopedPattern[];
  /** What whole texts note in such a state. */
  readonly candidates: CandidateProgram;
  /** Patterns that no text leads to: they are tried everywhere. */
  readonly unanchored: readonly ScopedPattern[];
  /** Steps for each character that trying those costs. */
  readonly unanchoredWeight: number;
  /** Patterns of which a match may begin any distance before its literal: streams watch every place for them. */
  readonly everywhere: readonly ScopedPattern[];
  readonly scores: readonly ScopedScore[];
  readonly reach: ReachableSignals;
  readonly hidden: readonly CompiledHidden[];
  /** Undefined where the same text may come to something else in the scope. */
  readonly memo: VerdictMemo | undefined;
}

/** Scopes that are kept; callers with more kinds of texts get them made anew. */
const maxScopes = 64;

/** Conditions beyond these are asked when a pattern has matched. */
const maxAsked = 32;

/** Bits of a context, which stand before the answers to conditions in the key of a scope. */
const contexts = 1 << 6;

/**
 * The scopes of a plan. Rules whose conditions do not hold would find nothing: asking first what is
 * known of a text before it is read spares looking for what they look for.
 */
export class PlanScopes {
  readonly #plan: CompiledPlan;
  readonly #asked: readonly Condition[];
  /** Which sets of origins the rules read. */
  readonly #read: readonly OriginSet[];
  /** Texts that are read by the same rules are of one kind, wherever they come from: its number, by their origins. */
  readonly #kinds = new Map<OriginSet, number>();
  readonly #kindOfRules = new Map<string, number>();
  readonly #scopes = new Map<number, PlanScope>();
  /** The same text always comes to the same in a scope. */
  readonly #tellAll: boolean;
  /** The last one: most texts are of the same kind as the one before. */
  #last: { readonly key: number; readonly scope: PlanScope } | undefined;

  constructor(plan: CompiledPlan) {
    this.#plan = plan;
    this.#read = [...new Set(rulesOf(plan).map(({ origins }) => origins))].filter((origins) => origins !== allOrigins);
    const early = plan.conditions.filter((condition) => condition.early !== undefined);
    this.#asked = early.slice(0, maxAsked);
    this.#tellAll = early.length <= maxAsked && !plan.conditions.some(({ asksPlace }) => asksPlace);
  }

  select(context: ScanContext): PlanScope {
    const bit = contextBit(context);
    let key = bit + contexts * this.#kindOf(context.origins ?? allOrigins);
    for (const { early } of this.#asked) key = key * 2 + (early?.(context) === false ? 0 : 1);
    if (key !== this.#last?.key) this.#last = { key, scope: this.#scopes.get(key) ?? this.#compile(key, context, bit) };
    return this.#last.scope;
  }

  #kindOf(origins: OriginSet): number {
    const known = this.#kinds.get(origins);
    if (known !== undefined) return known;
    const rules = this.#read.map((read) => ((read & origins) === 0 ? '-' : '+')).join('');
    const kind = this.#kindOfRules.get(rules) ?? this.#kindOfRules.size;
    this.#kindOfRules.set(rules, kind);
    this.#kinds.set(origins, kind);
    return kind;
  }

  #compile(key: number, context: ScanContext, bit: number): PlanScope {
    const ruledOut = new Set(this.#asked.filter(({ early }) => early?.(context) === false));
    const origins = context.origins ?? allOrigins;
    const applies = (rule: CompiledRule): boolean => (rule.contexts & bit) !== 0 && (rule.origins & origins) !== 0;
    const scope = compileScope(this.#plan, (use) => restrict(use, applies, ruledOut), this.#tellAll);
    if (this.#scopes.size >= maxScopes) this.#scopes.clear();
    this.#scopes.set(key, scope);
    return scope;
  }
}

const rulesOf = ({ patterns, scores, hidden }: CompiledPlan): readonly CompiledRule[] =>
  [...patterns, ...scores, ...hidden].flatMap(({ uses }) => uses.flatMap(({ rules }) => rules));

/** A use for the rules that apply; undefined when none does. */
function restrict(
  use: PatternUse,
  applies: (rule: CompiledRule) => boolean,
  ruledOut: ReadonlySet<Condition>,
): PatternUse | undefined {
  if (use.terms.condition !== undefined && ruledOut.has(use.terms.condition)) return undefined;
  const rules = use.rules.filter(applies);
  return rules.length === 0 ? undefined : { ...use, rules };
}

function compileScope(
  plan: CompiledPlan,
  restrictUse: (use: PatternUse) => PatternUse | undefined,
  remembers: boolean,
): PlanScope {
  const scoped = plan.patterns.map((compiled) => scopePattern(compiled, restrictUse));
  const patterns = scoped.flatMap((pattern) => pattern ?? []);
  const keep = <Part extends CompiledScore | CompiledHidden>(parts: readonly Part[]): Part[] =>
    parts
      .map((part) => ({ ...part, uses: part.uses.flatMap((use) => restrictUse(use) ?? []) }))
      .filter(({ uses }) => uses.length > 0);
  const unanchored = patterns.filter(({ compiled }) => compiled.pattern.literals === undefined);
  const scores = keep(plan.scores).map((score) => ({
    ...score,
    least: Math.min(...score.uses.map(({ terms }) => terms.minConfidence)),
  }));
  const hidden = keep(plan.hidden);
  return {
    isEmpty: patterns.length + scores.length + hidden.length === 0,
    patterns,
    candidates: compileCandidates(plan, scoped),
    unanchored,
    unanchoredWeight: unanchored.reduce((sum, { compiled }) => sum + compiled.pattern.weight, 0),
    everywhere: patterns.filter(({ compiled }) => compiled.maxReach === Infinity),
    scores,
    reach: new ReachableSignals(
      scoped,
      scores.flatMap(({ uses }) => uses.flatMap(({ terms }) => terms.signals ?? [])),
    ),
    hidden,
    memo: remembers ? new VerdictMemo() : undefined,
  };
}

function scopePattern(
  compiled: CompiledPattern,
  restrictUse: (use: PatternUse) => PatternUse | undefined,
): ScopedPattern | undefined {
  const uses = compiled.uses.flatMap((use) => restrictUse(use) ?? []);
  if (uses.length === 0) return undefined;
  return { compiled, uses, enforced: uses.some(({ rules }) => rules.some(({ enforced }) => enforced)) };
}

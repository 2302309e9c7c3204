import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';
import { CompiledPattern, type PatternUse } from '../plan/compiled-pattern.ts';
import type { CompiledHidden, CompiledScore } from '../plan/compiled-plan.ts';
import { CompiledRule } from '../plan/compiled-rule.ts';
import { detectorCatalogue } from '../plan/detector-catalogue.ts';
import type { PatternDetector } from '../detectors/detector.ts';
import { MatchTerms, termsKey } from '../plan/match-terms.ts';
import { analysePattern } from '../pattern/analyse-pattern.ts';
import type { AnalysedPattern } from '../pattern/analysed-pattern.ts';
import type { PatternNote, Policy } from '../policy.ts';

/** Everything that the rules of some policies look for, each thing once. */
export interface PlanParts {
  readonly patterns: readonly CompiledPattern[];
  readonly scores: readonly CompiledScore[];
  readonly hidden: readonly CompiledHidden[];
  readonly terms: readonly MatchTerms[];
  readonly uses: number;
}

/**
 * Collects the parts of all rules that are switched on, in one step for each. Throws on what `parsePolicyFile` would
 * have refused.
 */
export function* collectParts(
  policies: readonly Policy[],
  shadow: ReadonlySet<string>,
): Generator<undefined, PlanParts> {
  const collector = new PartsCollector();
  for (const policy of policies) {
    if (policy.enabled === false) continue;
    for (const rule of policy.rules) {
      if (rule.enabled) collector.add(policy, rule, shadow.has(policy.name));
      yield;
    }
  }
  return collector.parts();
}

interface Looked {
  readonly patterns: readonly PolicyPattern[];
  readonly detectors?: readonly string[];
}

/** A rule, or one of its signals, and where in the rule it stands. */
interface Origin {
  readonly rule: CompiledRule;
  readonly terms: MatchTerms;
  readonly signal: number | undefined;
  readonly place: string;
}

/** Something that is looked for, and by whom. */
class Wanted {
  readonly uses: (PatternUse & { readonly rules: CompiledRule[] })[] = [];
  readonly notes: PatternNote[] = [];

  /** `index` is that of the use, if it is a new one. */
  add({ rule, terms, signal, place }: Origin, index: number): number {
    this.notes.push({ policyName: rule.policyName, ruleId: rule.ruleId, place });
    const same = this.uses.find((use) => use.terms === terms && use.signal === signal);
    if (same === undefined) this.uses.push({ index, terms, signal, rules: [rule] });
    else same.rules.push(rule);
    return same === undefined ? index + 1 : index;
  }
}

class PartsCollector {
  readonly #terms = new Map<string, MatchTerms>();
  /** By what is looked for: a pattern, or a detector of texts; a pattern that a detector verifies stands behind the detector. */
  readonly #wanted = new Map<object, Wanted>();
  readonly #verified = new Map<PatternDetector, Map<AnalysedPattern, Wanted>>();
  #uses = 0;

  add(policy: Policy, rule: PolicyRule, isShadow: boolean): void {
    const key = termsKey(policy, rule);
    let terms = this.#terms.get(key);
    if (terms === undefined) this.#terms.set(key, (terms = new MatchTerms(policy, rule)));
    const compiled = new CompiledRule(policy, rule, isShadow);
    this.#look(rule, { rule: compiled, terms, signal: undefined, place: '' });
    for (const [signal, looked] of (rule.signals ?? []).entries()) {
      this.#look(looked, { rule: compiled, terms, signal, place: `/signals/${signal}` });
    }
  }

  parts(): PlanParts {
    const patterns: CompiledPattern[] = [];
    const scores: CompiledScore[] = [];
    const hidden: CompiledHidden[] = [];
    const addPattern = (pattern: AnalysedPattern, detector: PatternDetector | undefined, wanted: Wanted): void => {
      const { uses, notes } = wanted;
      patterns.push(new CompiledPattern({ index: patterns.length, pattern, detector, uses, notes }));
    };
    for (const [key, wanted] of this.#wanted) {
      if (!('kind' in key)) addPattern(key as AnalysedPattern, undefined, wanted);
      else if (key.kind === 'text') scores.push({ detector: key as CompiledScore['detector'], uses: wanted.uses });
      else hidden.push({ detector: key as CompiledHidden['detector'], uses: wanted.uses });
    }
    for (const [detector, verified] of this.#verified) {
      for (const [pattern, wanted] of verified) addPattern(pattern, detector, wanted);
    }
    return { patterns, scores, hidden, terms: [...this.#terms.values()], uses: this.#uses };
  }

  #look(looked: Looked, origin: Origin): void {
    for (const [index, pattern] of looked.patterns.entries()) {
      this.#want(this.#wanted, analyse(pattern, origin.rule), origin, `/patterns/${index}`);
    }
    for (const [index, name] of (looked.detectors ?? []).entries()) this.#lookWith(name, origin, `/detectors/${index}`);
  }

  #lookWith(name: string, origin: Origin, place: string): void {
    const detector = detectorCatalogue.get(name);
    const { policyName, ruleId } = origin.rule;
    if (detector === undefined) throw new Error(`policy ${policyName}, rule ${ruleId}: no detector ${name}`);
    if (detector.kind !== 'pattern') {
      this.#want(this.#wanted, detector, origin, place);
      return;
    }
    let verified = this.#verified.get(detector);
    if (verified === undefined) this.#verified.set(detector, (verified = new Map<AnalysedPattern, Wanted>()));
    for (const pattern of detector.patterns) this.#want(verified, analyse(pattern, origin.rule), origin, place);
  }

  #want<Key extends object>(known: Map<Key, Wanted>, key: Key, origin: Origin, place: string): void {
    let wanted = known.get(key);
    if (wanted === undefined) known.set(key, (wanted = new Wanted()));
    this.#uses = wanted.add({ ...origin, place: origin.place + place }, this.#uses);
  }
}

function analyse(text: PolicyPattern, { policyName, ruleId }: CompiledRule): AnalysedPattern {
  const { pattern, reason } = analysePattern(text);
  if (pattern === undefined) throw new Error(`policy ${policyName}, rule ${ruleId}: the pattern ${reason}`);
  return pattern;
}

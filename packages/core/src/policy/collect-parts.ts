import type { PolicyPattern } from '@portcullis/contracts/policy-file';
import { CompiledPattern, type CompiledHidden, type CompiledScore, type PatternOrigin } from './compiled-plan.ts';
import { CompiledRule } from './compiled-rule.ts';
import { detectorCatalogue } from './detectors/catalogue.ts';
import { analysePattern } from './pattern/analyse-pattern.ts';
import type { Policy } from './policy.ts';

/** Everything that the rules of some policies look for. */
export interface PlanParts {
  readonly patterns: CompiledPattern[];
  readonly scores: CompiledScore[];
  readonly hidden: CompiledHidden[];
}

/** Collects the parts of all rules that are switched on. Throws on what `parsePolicyFile` would have refused. */
export function collectParts(policies: readonly Policy[], shadow: ReadonlySet<string>): PlanParts {
  const parts: PlanParts = { patterns: [], scores: [], hidden: [] };
  for (const policy of policies) {
    if (policy.enabled === false) continue;
    for (const rule of policy.rules) {
      if (!rule.enabled) continue;
      const compiled = new CompiledRule(policy, rule, shadow.has(policy.name));
      collect(parts, compiled, '', rule, undefined);
      for (const [index, signal] of (rule.signals ?? []).entries()) {
        collect(parts, compiled, `/signals/${index}`, signal, index);
      }
    }
  }
  return parts;
}

interface Looked {
  readonly patterns: readonly PolicyPattern[];
  readonly detectors?: readonly string[];
}

function collect(parts: PlanParts, rule: CompiledRule, base: string, looked: Looked, signal: number | undefined): void {
  const origin = { rule, signal, detector: undefined };
  for (const [index, pattern] of looked.patterns.entries()) {
    addPattern(parts, { ...origin, place: `${base}/patterns/${index}` }, pattern);
  }
  for (const [index, name] of (looked.detectors ?? []).entries()) {
    const detector = detectorCatalogue.get(name);
    const place = `${base}/detectors/${index}`;
    if (detector === undefined) throw new Error(`policy ${rule.policyName}, rule ${rule.ruleId}: no detector ${name}`);
    if (detector.kind === 'text') parts.scores.push({ ...origin, place, detector });
    else if (detector.kind === 'hidden') parts.hidden.push({ ...origin, place, detector });
    else for (const pattern of detector.patterns) addPattern(parts, { ...origin, place, detector }, pattern);
  }
}

function addPattern({ patterns }: PlanParts, origin: PatternOrigin, text: PolicyPattern): void {
  const { pattern, reason } = analysePattern(text);
  const { policyName, ruleId } = origin.rule;
  if (pattern === undefined) throw new Error(`policy ${policyName}, rule ${ruleId}: the pattern ${reason}`);
  patterns.push(new CompiledPattern(patterns.length, origin, pattern));
}

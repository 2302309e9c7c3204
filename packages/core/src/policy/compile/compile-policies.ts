import { shareAutomaton } from '../finder/build-automaton.ts';
import { collectParts } from './collect-parts.ts';
import type { CompiledPattern } from '../plan/compiled-pattern.ts';
import { scanBudgetFor, type CompiledPlan } from '../plan/compiled-plan.ts';
import { nativeWindow } from '../pattern/analyse-pattern.ts';
import { finish } from '../../collections/finish-steps.ts';
import { CooperativeScans } from '../scan/cooperative-scan.ts';
import { TextTable } from './text-table.ts';
import { PlanScopes, type PlanScope } from '../scope/plan-scope.ts';
import type { CompileReport, Finding, Policy, PolicyPlan, ScanContext } from '../policy.ts';
import type { StreamTables } from '../stream/stream-scan.ts';
import { compileStreamTables } from '../stream/stream-tables.ts';
import { StreamViews } from '../stream/stream-views.ts';
import { stepBlock } from '../scan/blocks.ts';
import { TextScan } from '../scan/text-scan.ts';
import { markExcepted } from '../scan/mark-excepted.ts';

const none: ReadonlySet<string> = new Set();
const nothing: readonly Finding[] = Object.freeze([]);

/**
 * Compiles policies, as `parsePolicyFile` answers them, into one immutable plan. Throws on a pattern
 * that `parsePolicyFile` would have refused.
 * @param shadow names of those whose findings are recorded only
 */
export const compilePolicies = (policies: readonly Policy[], shadow: ReadonlySet<string> = none): PolicyPlan =>
  finish(compileCooperatively(policies, shadow));

/** The same in many steps, most of which take less than a millisecond: a caller that answers requests can do so in between. */
export function* compileCooperatively(
  policies: readonly Policy[],
  shadow: ReadonlySet<string> = none,
): Generator<undefined, PolicyPlan> {
  const plan = yield* compilePlanCooperatively(policies, shadow);
  yield;
  const scopes = new PlanScopes(plan);
  const textScan = new TextScan(plan, scopes);
  const stepScans = new CooperativeScans(plan, scopes);
  const tables = new WeakMap<PlanScope, StreamTables>();
  const scan = (text: string, context: ScanContext): readonly Finding[] => {
    const { isEmpty, memo } = scopes.select(context);
    if (isEmpty) return nothing;
    const find = () => textScan.scan(text, context);
    return markExcepted(memo?.recall(text, find) ?? find(), context);
  };
  return {
    report: renderReport(policies, plan),
    enforces: [...plan.patterns, ...plan.scores, ...plan.hidden].some(({ uses }) =>
      uses.some(({ rules }) => rules.some(({ enforced }) => enforced)),
    ),
    redacts: plan.patterns.some(({ uses }) => uses.some(({ rules }) => rules.some(({ redacts }) => redacts))),
    scan,
    *scanCooperatively(text, context) {
      const { isEmpty, memo } = scopes.select(context);
      if (isEmpty || text.length <= stepBlock) return scan(text, context);
      const find = () => stepScans.scan(text, context);
      return markExcepted(yield* memo?.recallCooperatively(text, find) ?? find(), context);
    },
    openStream(context) {
      const scope = scopes.select(context);
      let known = tables.get(scope);
      if (known === undefined) tables.set(scope, (known = compileStreamTables(plan, scope)));
      return new StreamViews(plan, known, context, { textScan, stepScans });
    },
  };
}

/** The plan behind the interface, for tests that look at costs. */
export const compilePlan = (policies: readonly Policy[], shadow = none): CompiledPlan =>
  finish(compilePlanCooperatively(policies, shadow));

function* compilePlanCooperatively(
  policies: readonly Policy[],
  shadow: ReadonlySet<string>,
): Generator<undefined, CompiledPlan> {
  const { patterns, scores, hidden, terms, uses } = yield* collectParts(policies, shadow);
  const isEmpty = patterns.length + scores.length + hidden.length === 0;
  const table = new TextTable();
  for (const pattern of patterns) table.addPattern(pattern);
  if (!isEmpty) table.addMarks();
  yield;
  const automaton = yield* shareAutomaton(table.texts);
  const lengths = new Map(table.texts.map((text, index) => [text, automaton.paths[index]?.length ?? 0]));
  for (const pattern of patterns) setReach(pattern, lengths);
  return {
    patterns,
    automaton,
    ...table.columns(),
    isEmpty,
    scores,
    hidden,
    uses,
    conditions: terms.flatMap(({ condition }) => condition ?? []),
    budget: scanBudgetFor(patterns.length),
  };
}

/** Where a match can begin, seen from the end of its literal: known once the automaton has cut the texts. */
function setReach(compiled: CompiledPattern, lengths: ReadonlyMap<string, number>): void {
  const { literals } = compiled.pattern;
  if (literals === undefined || literals.before.max > nativeWindow) return;
  const ends = literals.texts.map((text) => lengths.get(text) ?? 0);
  compiled.minReach = literals.before.min + Math.min(...ends);
  compiled.maxReach = literals.before.max + Math.max(...ends);
  const { coRequired } = literals;
  if (coRequired === undefined) return;
  const companionEnds = coRequired.texts.map((text) => lengths.get(text) ?? 0);
  compiled.coRequiredFrom = coRequired.before.min + Math.min(...companionEnds);
  compiled.coRequiredReach = coRequired.before.max + Math.max(...companionEnds);
}

function renderReport(policies: readonly Policy[], plan: CompiledPlan): CompileReport {
  const notes = (picks: (pattern: CompiledPattern) => boolean) =>
    plan.patterns.filter((pattern) => picks(pattern)).flatMap((pattern) => pattern.notes);
  return {
    rules: policies.reduce((sum, { rules }) => sum + rules.filter(({ enabled }) => enabled).length, 0),
    patterns: plan.patterns.reduce((sum, { notes }) => sum + notes.length, 0),
    literals: plan.patternsOfText.filter((patterns) => patterns.length > 0).length,
    unanchored: notes(({ pattern }) => pattern.literals === undefined),
    unbounded: notes(({ pattern }) => !pattern.bounded),
    linear: notes(({ pattern }) => pattern.engine === 'linear'),
  };
}

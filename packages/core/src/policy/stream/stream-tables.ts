import type { CompiledPattern } from '../plan/compiled-pattern.ts';
import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { around } from '../detectors/detector.ts';
import { compileHoldBack } from './hold-back.ts';
import type { PlanScope } from '../scope/plan-scope.ts';
import type { ScopedPattern } from '../scope/scoped-pattern.ts';
import type { StreamTables } from './stream-scan.ts';

/** What streams of one kind of texts share: made when the first of them is opened. */
export function compileStreamTables(plan: CompiledPlan, scope: PlanScope): StreamTables {
  const applying = new Set(scope.patterns.map(({ compiled }) => compiled));
  const enforced = new Set(scope.patterns.filter((pattern) => pattern.enforced).map(({ compiled }) => compiled));
  const reach = ({ pattern, after }: CompiledPattern): number => Math.max(pattern.left, after > 0 ? around.before : 0);
  return {
    scope,
    ...layOutTries(plan, scope),
    enforced: compileHoldBack(plan, (pattern) => enforced.has(pattern)),
    all: compileHoldBack(plan, (pattern) => applying.has(pattern)),
    left: Math.max(1, ...plan.patterns.map(reach)),
  };
}

/** Puts the patterns of each state with outputs side by side, each once. */
function layOutTries(plan: CompiledPlan, scope: PlanScope): Pick<StreamTables, 'tried' | 'triedFrom'> {
  const { outputs, outputOffsets } = plan.automaton;
  const { patterns: scoped } = scope.candidates;
  const tried: ScopedPattern[] = [];
  const triedFrom = new Int32Array(outputOffsets.length);
  /** By pattern: the last row that has it, from 1. */
  const latest = new Int32Array(plan.patterns.length);
  for (let row = 1; row < outputOffsets.length; row += 1) {
    for (let at = outputOffsets[row - 1] as number; at < (outputOffsets[row] as number); at += 1) {
      for (const { index } of plan.patternsOfText[outputs[at] as number] ?? []) {
        const pattern = scoped[index];
        if (pattern === undefined || latest[index] === row) continue;
        latest[index] = row;
        tried.push(pattern);
      }
    }
    triedFrom[row] = tried.length;
  }
  return { tried, triedFrom };
}

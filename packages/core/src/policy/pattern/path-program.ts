import { contains, type CharSet } from './char-set.ts';
import { charUnits, firstSet } from './first-set.ts';
import type { EdgeSyntax, RepeatSyntax, Syntax } from './syntax.ts';

/** What one step of a program does. */
export const op = { char: 0, gap: 1, split: 2, edge: 3, accept: 4 } as const;

/**
 * A pattern as a program of steps, for following all its paths through a text at once. It forgives:
 * lookarounds are passed over and open or counted repetitions of groups have no bound, so the paths
 * are those of the pattern and possibly more, never fewer.
 */
export interface PathProgram {
  readonly size: number;
  /** By step, one of `op`. */
  readonly ops: Uint8Array;
  /** By step: where to go on; for a split the first of two ways. */
  readonly next: Int32Array;
  /** By step: the other way of a split. */
  readonly other: Int32Array;
  /** By step: how often a gap takes a character of its set. */
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** By step: the characters of a char or gap. */
  readonly sets: readonly (UnitSet | undefined)[];
  readonly edges: readonly (EdgeSyntax['edge'] | undefined)[];
  /** By step: 1 when a path from here can still take a character. */
  readonly consumes: Uint8Array;
  readonly start: number;
  /** What a path can begin with. */
  readonly first: UnitSet;
}

/** A set of units with a quick answer for ASCII. */
export interface UnitSet {
  readonly ascii: Uint8Array;
  readonly set: CharSet;
}

export const createUnitSet = (set: CharSet): UnitSet => ({
  set,
  ascii: Uint8Array.from({ length: 128 }, (_, unit) => (contains(set, unit) ? 1 : 0)),
});

export const has = ({ ascii, set }: UnitSet, unit: number): boolean =>
  unit < 128 ? ascii[unit] === 1 : contains(set, unit);

interface Step {
  op: number;
  next: number;
  other: number;
  min: number;
  max: number;
  set: UnitSet | undefined;
  edge: EdgeSyntax['edge'] | undefined;
}

/** Compiles from the end to the start: each part is given the step that follows it. */
export function compilePaths(syntax: Syntax): PathProgram {
  const steps: Step[] = [];
  const emit = (step: Partial<Step>): number => {
    steps.push({ op: op.accept, next: 0, other: 0, min: 0, max: 0, set: undefined, edge: undefined, ...step });
    return steps.length - 1;
  };

  // The same few letters come again and again.
  const known = new Map<string, UnitSet>();
  const unitSet = (set: CharSet): UnitSet => {
    const key = set.join(' ');
    let unitSet = known.get(key);
    if (unitSet === undefined) known.set(key, (unitSet = createUnitSet(set)));
    return unitSet;
  };

  const compile = (node: Syntax, next: number): number => {
    switch (node.kind) {
      case 'char':
        // Under the u flag a character may be two units, both out of the surrogates.
        if (node.astral.length > 0) return emit({ op: op.gap, next, min: 1, max: 2, set: unitSet(charUnits(node)) });
        return emit({ op: op.char, next, set: unitSet(node.set) });
      case 'sequence':
        return node.items.reduceRight((following, item) => compile(item, following), next);
      case 'choice':
        return node.branches
          .map((branch) => compile(branch, next))
          .reduce((first, second) => emit({ op: op.split, next: first, other: second }));
      case 'repeat':
        return compileRepeat(node, next);
      case 'edge':
        return emit({ op: op.edge, next, edge: node.edge });
      case 'look':
        return next;
    }
  };

  const compileRepeat = ({ body, min, max }: RepeatSyntax, next: number): number => {
    if (max === 0) return next;
    if (body.kind === 'char') {
      const width = body.astral.length > 0 ? 2 : 1;
      return emit({ op: op.gap, next, min, max: max * width, set: unitSet(charUnits(body)) });
    }
    if (max === 1)
      return min === 1 ? compile(body, next) : emit({ op: op.split, next: compile(body, next), other: next });
    const loop = emit({ op: op.split, other: next });
    const again = compile(body, loop);
    const split = steps[loop];
    if (split !== undefined) split.next = again;
    return min === 0 ? loop : again;
  };

  const accept = emit({ op: op.accept });
  const start = compile(syntax, accept);
  return { ...layOut(steps), start, first: unitSet(firstSet(syntax).set) };
}

function layOut(steps: readonly Step[]): Omit<PathProgram, 'start' | 'first'> {
  return {
    size: steps.length,
    ops: Uint8Array.from(steps, (step) => step.op),
    next: Int32Array.from(steps, (step) => step.next),
    other: Int32Array.from(steps, (step) => step.other),
    min: Float64Array.from(steps, (step) => step.min),
    max: Float64Array.from(steps, (step) => step.max),
    sets: steps.map((step) => step.set),
    edges: steps.map((step) => step.edge),
    consumes: findConsuming(steps),
  };
}

/** Spreads "can take a character" backwards along the steps that take none, until nothing changes. */
function findConsuming(steps: readonly Step[]): Uint8Array {
  const consumes = Uint8Array.from(steps, (step) => (step.op === op.char || step.op === op.gap ? 1 : 0));
  for (let changed = true; changed;) {
    changed = false;
    for (const [index, step] of steps.entries()) {
      if (consumes[index] === 1 || step.op === op.accept) continue;
      if (consumes[step.next] !== 1 && (step.op !== op.split || consumes[step.other] !== 1)) continue;
      consumes[index] = 1;
      changed = true;
    }
  }
  return consumes;
}

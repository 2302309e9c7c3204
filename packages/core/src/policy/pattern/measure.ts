import type { Syntax } from './syntax.ts';

/** Lengths in UTF-16 units. */
export interface Lengths {
  readonly min: number;
  /** Infinity when nothing bounds it. */
  readonly max: number;
}

const nothing: Lengths = { min: 0, max: 0 };

const known = new WeakMap<Syntax, Lengths>();

/** The shortest and longest text that the syntax can match. */
export function measureLengths(node: Syntax): Lengths {
  let lengths = known.get(node);
  if (lengths === undefined) known.set(node, (lengths = measure(node)));
  return lengths;
}

function measure(node: Syntax): Lengths {
  switch (node.kind) {
    case 'char':
      return { min: node.set.length > 0 ? 1 : 2, max: node.astral.length > 0 ? 2 : 1 };
    case 'sequence':
      return node.items.map(measureLengths).reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }), nothing);
    case 'choice': {
      const branches = node.branches.map(measureLengths);
      return {
        min: Math.min(...branches.map(({ min }) => min)),
        max: Math.max(...branches.map(({ max }) => max)),
      };
    }
    case 'repeat': {
      const body = measureLengths(node.body);
      // An open repetition of nothing is still nothing.
      return { min: body.min * node.min, max: body.max === 0 ? 0 : body.max * node.max };
    }
    case 'edge':
    case 'look':
      return nothing;
  }
}

/** How far outside its own match a pattern looks, in UTF-16 units. */
export interface Context {
  readonly left: number;
  readonly right: number;
}

export function measureContext(node: Syntax): Context {
  switch (node.kind) {
    case 'char':
      return { left: 0, right: 0 };
    case 'edge':
      return { left: 1, right: 1 };
    case 'look': {
      const inner = measureContext(node.body);
      const { max } = measureLengths(node.body);
      return node.behind
        ? { left: max + inner.left, right: inner.right }
        : { left: inner.left, right: max + inner.right };
    }
    case 'repeat':
      return measureContext(node.body);
    case 'sequence':
      return widest(node.items.map(measureContext));
    case 'choice':
      return widest(node.branches.map(measureContext));
  }
}

const widest = (contexts: readonly Context[]): Context => ({
  left: Math.max(0, ...contexts.map(({ left }) => left)),
  right: Math.max(0, ...contexts.map(({ right }) => right)),
});

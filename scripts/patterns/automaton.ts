import { type CharSet, charSet, union } from '../../packages/core/src/policy/pattern/char-set.ts';
import { charUnits, firstSet } from '../../packages/core/src/policy/pattern/first-set.ts';
import type { EdgeSyntax, LookSyntax, RepeatSyntax, Syntax } from '../../packages/core/src/policy/pattern/syntax.ts';
import { Alphabet, textEnd, textStart } from './alphabet.ts';

/** What must hold between two characters; `unknown`: it may hold or not. */
type Condition =
  | { readonly edge: EdgeSyntax['edge'] }
  | { readonly side: 'before' | 'behind'; readonly set: CharSet; readonly negated: boolean }
  | { readonly unknown: true };

/** A way from one place that reads a character to another, or to the end of the pattern. */
export interface Step {
  /** Index of a place, or `accepted`. */
  readonly to: number;
  readonly conditions: readonly Condition[];
  /** In so many ways, two at most: more than one can be told apart by nothing. */
  ways: number;
}

/** One place of a pattern that reads a character. */
export interface Place {
  readonly symbols: ReadonlySet<number>;
  readonly steps: readonly Step[];
  /** How often the repetitions around it may read it, Infinity where one of them is open. */
  readonly turns: number;
}

export const accepted = -1;

/** A pattern as the places that read characters and the steps between them. */
export interface Automaton {
  readonly alphabet: Alphabet;
  readonly places: readonly Place[];
  /** The ways into it. */
  readonly entry: readonly Step[];
  /** By symbol: one that is the same to every condition that looks back at it. */
  readonly lookedBackAt: readonly number[];
}

type Node =
  | { readonly kind: 'read'; readonly place: number }
  | { readonly kind: 'split'; readonly to: readonly Node[] }
  | Loop
  | { readonly kind: 'turned'; readonly loop: Loop }
  | { readonly kind: 'condition'; readonly condition: Condition; readonly to: Node }
  | { readonly kind: 'accept' }
  | { readonly kind: 'dead' };

interface Loop {
  readonly kind: 'loop';
  body: Node;
  readonly next: Node;
}

/** Thrown for a pattern of more parts than can be gone through in a moment. */
export class TooLarge extends Error {}

const maxPlaces = 20_000;
const maxWays = 20_000;
/** Repetitions of few turns and few characters are written out, others are loops. */
const maxWrittenTurns = 4;
const maxWrittenSize = 40;
const maxWrittenCount = 64;

export function buildAutomaton(syntax: Syntax): Automaton {
  const builder = new Builder();
  const start = builder.build(syntax, { kind: 'accept' }, 1);
  return builder.finish(start);
}

class Builder {
  readonly #reads: { readonly set: CharSet; readonly next: Node; readonly turns: number }[] = [];
  readonly #sets = new Set<CharSet>();

  build(syntax: Syntax, next: Node, turns: number): Node {
    switch (syntax.kind) {
      case 'char':
        return this.#read(charUnits(syntax), next, turns);
      case 'sequence':
        return syntax.items.reduceRight((behind, item) => this.build(item, behind, turns), next);
      case 'choice':
        return { kind: 'split', to: syntax.branches.map((branch) => this.build(branch, next, turns)) };
      case 'repeat':
        return this.#repeat(syntax, next, turns);
      case 'edge':
        return { kind: 'condition', condition: { edge: syntax.edge }, to: next };
      case 'look':
        return this.#look(syntax, next, turns);
    }
  }

  finish(start: Node): Automaton {
    const alphabet = new Alphabet(this.#sets);
    const places = this.#reads.map(({ set, next, turns }) => ({
      symbols: alphabet.symbolsOf(set),
      steps: stepsFrom(next),
      turns,
    }));
    const entry = stepsFrom(start);
    const conditions = [entry, ...places.map(({ steps }) => steps)].flat().flatMap((step) => step.conditions);
    return { alphabet, places, entry, lookedBackAt: groupByConditions(conditions, alphabet) };
  }

  #read(set: CharSet, next: Node, turns: number): Node {
    if (set.length === 0) return { kind: 'dead' };
    if (this.#reads.length >= maxPlaces) throw new TooLarge(`it has more than ${maxPlaces} parts`);
    this.#sets.add(set);
    this.#reads.push({ set, next, turns });
    return { kind: 'read', place: this.#reads.length - 1 };
  }

  #repeat({ body, min, max }: RepeatSyntax, next: Node, turns: number): Node {
    if (max === 0) return next;
    const size = sizeOf(body) * max;
    if ((max <= maxWrittenTurns && size <= maxWrittenSize) || (min === max && size <= maxWrittenCount)) {
      let entry = next;
      for (let turn = max; turn > 0; turn -= 1) {
        const once = this.build(body, entry, turns);
        entry = turn > min ? { kind: 'split', to: [once, next] } : once;
      }
      return entry;
    }
    const loop: Loop = { kind: 'loop', body: { kind: 'dead' }, next };
    loop.body = this.build(body, { kind: 'turned', loop }, turns * max);
    return min === 0 ? loop : this.build(body, loop, turns);
  }

  /** One character that is looked at is a condition; what else is looked at is gone through beside the pattern. */
  #look({ body, behind, negated }: LookSyntax, next: Node, turns: number): Node {
    const side = behind ? 'before' : 'behind';
    const single = singleSet(body);
    if (single !== undefined) {
      this.#sets.add(single);
      return { kind: 'condition', condition: { side, set: single, negated }, to: next };
    }
    const looked = this.build(behind ? reversed(body) : body, { kind: 'dead' }, turns);
    let main: Node = { kind: 'condition', condition: { unknown: true }, to: next };
    const edge = firstSet(behind ? reversed(body) : body);
    if (!negated && !edge.nullable) {
      this.#sets.add(edge.set);
      main = { kind: 'condition', condition: { side, set: edge.set, negated }, to: main };
    }
    return { kind: 'split', to: [looked, main] };
  }
}

function stepsFrom(start: Node): readonly Step[] {
  const steps = new Map<string, Step>();
  let ways = 0;
  const add = (to: number, conditions: readonly Condition[]): void => {
    const key = `${to} ${JSON.stringify(conditions)}`;
    const known = steps.get(key);
    if (known === undefined) steps.set(key, { to, conditions, ways: 1 });
    else known.ways = 2;
  };
  /** @param begun repetitions whose turn has read nothing yet: engines end no turn so */
  const walk = (node: Node, conditions: readonly Condition[], begun: ReadonlySet<Loop>): void => {
    if ((ways += 1) > maxWays) throw new TooLarge('too many of its parts may be left out in a row');
    switch (node.kind) {
      case 'condition':
        walk(node.to, [...conditions, node.condition], begun);
        break;
      case 'split':
        for (const next of node.to) walk(next, conditions, begun);
        break;
      case 'loop':
        walk(node.body, conditions, new Set(begun).add(node));
        walk(node.next, conditions, new Set([...begun].filter((loop) => loop !== node)));
        break;
      case 'turned':
        if (!begun.has(node.loop)) walk(node.loop, conditions, begun);
        break;
      case 'read':
        add(node.place, conditions);
        break;
      case 'accept':
        add(accepted, conditions);
        break;
      case 'dead':
    }
  };
  walk(start, [], new Set());
  return [...steps.values()];
}

function groupByConditions(conditions: readonly Condition[], alphabet: Alphabet): readonly number[] {
  const edges = new Set(conditions.flatMap((condition) => ('edge' in condition ? [condition.edge] : [])));
  const sets = new Set(
    conditions.flatMap((condition) =>
      'set' in condition && condition.side === 'before' ? [alphabet.symbolsOf(condition.set)] : [],
    ),
  );
  const groups = new Map<string, number>();
  return Array.from(alphabet.examples.keys(), (symbol) => {
    const word = (edges.has('word') || edges.has('not-word')) && alphabet.isWord(symbol);
    const lineEnd = edges.has('line-start') && alphabet.isLineEnd(symbol);
    const key = [word, lineEnd, ...Array.from(sets, (set) => set.has(symbol))].join(' ');
    const first = groups.get(key) ?? symbol;
    groups.set(key, first);
    return first;
  });
}

/** Whether the conditions hold between two symbols; with `surely`, whatever stands elsewhere. */
export function holds(
  { conditions }: Step,
  before: number,
  behind: number,
  alphabet: Alphabet,
  surely = false,
): boolean {
  return conditions.every((condition) => {
    if ('unknown' in condition) return !surely;
    if ('edge' in condition) return edgeHolds(condition.edge, before, behind, alphabet);
    const symbol = condition.side === 'before' ? before : behind;
    return alphabet.symbolsOf(condition.set).has(symbol) !== condition.negated;
  });
}

function edgeHolds(edge: EdgeSyntax['edge'], before: number, behind: number, alphabet: Alphabet): boolean {
  switch (edge) {
    case 'text-start':
      return before === textStart;
    case 'text-end':
      return behind === textEnd;
    case 'line-start':
      return before === textStart || alphabet.isLineEnd(before);
    case 'line-end':
      return behind === textEnd || alphabet.isLineEnd(behind);
    case 'word':
      return alphabet.isWord(before) !== alphabet.isWord(behind);
    case 'not-word':
      return alphabet.isWord(before) === alphabet.isWord(behind);
  }
}

/** The set of a syntax that reads one character and nothing else. */
function singleSet(node: Syntax): CharSet | undefined {
  if (node.kind === 'char') return charUnits(node);
  if (node.kind === 'sequence' && node.items.length === 1 && node.items[0] !== undefined)
    return singleSet(node.items[0]);
  if (node.kind !== 'choice') return undefined;
  const sets = node.branches.map(singleSet);
  return sets.every((set) => set !== undefined) ? charSet(union(...sets)) : undefined;
}

function sizeOf(node: Syntax): number {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case 'choice':
      return node.branches.reduce((sum, branch) => sum + sizeOf(branch), 0);
    case 'repeat':
    case 'look':
      return sizeOf(node.body);
    case 'char':
    case 'edge':
      return 1;
  }
}

/** As an engine goes through a lookbehind: from its end to its start. */
function reversed(node: Syntax): Syntax {
  switch (node.kind) {
    case 'sequence':
      return { ...node, items: node.items.map(reversed).toReversed() };
    case 'choice':
      return { ...node, branches: node.branches.map(reversed) };
    case 'repeat':
      return { ...node, body: reversed(node.body) };
    case 'char':
    case 'edge':
    case 'look':
      return node;
  }
}

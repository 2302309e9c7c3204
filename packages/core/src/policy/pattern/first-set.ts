import { complement, intersection, isSubset, noChars, surrogates, union, wordChars, type CharSet } from './char-set.ts';
import type { CharSyntax, EdgeSyntax, LookSyntax, Syntax } from './syntax.ts';

/** What a match can begin with. */
export interface First {
  readonly set: CharSet;
  /** The syntax can match without consuming anything. */
  readonly nullable: boolean;
  /** A word boundary stands right before it. */
  readonly boundary?: boolean;
}

/** Every unit that the character can begin with. */
export const charUnits = (node: CharSyntax): CharSet =>
  node.astral.length > 0 ? union(node.set, surrogates) : node.set;

const known = new WeakMap<Syntax, First>();

/** The units that a match of the syntax can begin with: possibly more than in truth, never fewer. */
export function firstSet(node: Syntax): First {
  let first = known.get(node);
  if (first === undefined) known.set(node, (first = findFirst(node)));
  return first;
}

function findFirst(node: Syntax): First {
  switch (node.kind) {
    case 'char':
      return { set: charUnits(node), nullable: false };
    case 'sequence':
      return firstOfSequence(node.items);
    case 'choice': {
      const branches = node.branches.map(firstSet);
      return { set: union(...branches.map(({ set }) => set)), nullable: branches.some(({ nullable }) => nullable) };
    }
    case 'repeat': {
      const body = firstSet(node.body);
      return { set: body.set, nullable: body.nullable || node.min === 0 };
    }
    case 'edge':
    case 'look':
      return { set: noChars, nullable: true };
  }
}

/** As `firstSet`, of syntaxes one behind the other. */
export function firstOfSequence(items: readonly Syntax[]): First {
  const last = items.findIndex((item) => item.kind !== 'edge' && item.kind !== 'look' && !firstSet(item).nullable);
  const nothing: First = { set: noChars, nullable: true };
  return items
    .slice(0, last < 0 ? items.length : last + 1)
    .reduceRight((behind, item) => putBefore(item, behind), nothing);
}

/** What a match can begin with when `item` is put before what begins with `behind`. */
export function putBefore(item: Syntax, behind: First): First {
  const first = firstSet(item);
  if (!first.nullable) return first;
  if (item.kind !== 'edge' && item.kind !== 'look') {
    return { set: union(first.set, behind.set), nullable: behind.nullable };
  }
  const boundary = behind.boundary === true || (item.kind === 'edge' && item.edge === 'word');
  const allowed = allowedBehind(item);
  if (allowed === undefined) return { ...behind, boundary };
  // Whether the text goes on with what may stand here or ends, it does not go on with anything else.
  return { set: behind.nullable ? allowed : intersection(behind.set, allowed), nullable: false, boundary };
}

/** True when nothing of a word stands before any match, since it begins with a word or says so itself. */
export function startsWord(node: Syntax): boolean {
  return isNeverBehindWord(node) || (startsWithBoundary(node) && isSubset(firstSet(node).set, wordChars));
}

/** Matches begin with a lookbehind that lets no character of a word stand there. */
function isNeverBehindWord(node: Syntax): boolean {
  if (node.kind === 'choice') return node.branches.every(isNeverBehindWord);
  if (node.kind === 'sequence') return node.items[0] !== undefined && isNeverBehindWord(node.items[0]);
  return node.kind === 'look' && node.behind && node.negated && isSubset(wordChars, union(...singles(node.body)));
}

/** What a choice matches that is one character. */
function singles(node: Syntax): readonly CharSet[] {
  if (node.kind === 'char') return [node.set];
  if (node.kind === 'choice') return node.branches.flatMap(singles);
  const [only] = node.kind === 'sequence' && node.items.length === 1 ? node.items : [];
  return only === undefined ? [] : singles(only);
}

function startsWithBoundary(node: Syntax): boolean {
  if (node.kind === 'choice') return node.branches.every(startsWithBoundary);
  if (node.kind === 'sequence') return node.items[0] !== undefined && startsWithBoundary(node.items[0]);
  return node.kind === 'edge' && node.edge === 'word';
}

/** The characters that an edge or a lookahead lets stand behind it; undefined when it lets any. */
function allowedBehind(item: EdgeSyntax | LookSyntax): CharSet | undefined {
  if (item.kind === 'edge') return item.edge === 'text-end' ? noChars : undefined;
  if (item.behind || !item.negated) return undefined;
  const sets = leadingSets(item.body, 2);
  return isFixed(item.body) && sets.length === 1 && sets[0] !== undefined ? complement(sets[0]) : undefined;
}

/** The sets of the characters that every match begins with, one by one, as far as they are fixed. */
export function leadingSets(node: Syntax, limit: number): readonly CharSet[] {
  switch (node.kind) {
    case 'char':
      // Under the u flag the character may be one unit or two: what stands behind it is not fixed.
      return [charUnits(node)];
    case 'sequence': {
      const sets: CharSet[] = [];
      for (const item of node.items) {
        if (item.kind === 'edge' || item.kind === 'look') continue;
        sets.push(...leadingSets(item, limit - sets.length));
        if (!isFixed(item) || sets.length >= limit) break;
      }
      return sets.slice(0, limit);
    }
    case 'choice':
      return overlay(node.branches.map((branch) => leadingSets(branch, limit)));
    case 'repeat': {
      const body = leadingSets(node.body, limit);
      const times = isFixed(node.body) ? Math.min(node.min, limit) : Math.min(node.min, 1);
      return Array.from({ length: times }, () => body)
        .flat()
        .slice(0, limit);
    }
    case 'edge':
    case 'look':
      return [];
  }
}

/** The sets of several beginnings, one over the other, as far as the shortest goes. */
function overlay(leads: readonly (readonly CharSet[])[]): readonly CharSet[] {
  const [only] = leads;
  if (leads.length === 1 && only !== undefined) return only;
  const length = Math.min(...leads.map((lead) => lead.length));
  return Array.from({ length }, (_, at) => union(...leads.map((lead) => lead[at] ?? noChars)));
}

/** True when each match of the syntax is exactly what `leadingSets` says, unit by unit. */
export function isFixed(node: Syntax): boolean {
  switch (node.kind) {
    case 'char':
      return node.astral.length === 0;
    case 'sequence':
      return node.items.every(isFixed);
    case 'choice':
      return node.branches.length === 1 && node.branches.every(isFixed);
    case 'repeat':
      return node.min === node.max && isFixed(node.body);
    case 'edge':
    case 'look':
      return true;
  }
}

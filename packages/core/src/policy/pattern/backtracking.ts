import { complement, intersection, intersects, isSubset, union, wordChars, type CharSet } from './char-set.ts';
import { firstOfSequence, firstSet, isFixed, leadingSets, type First } from './first-set.ts';
import { measureLengths } from './measure.ts';
import { findLandmark } from './spacing.ts';
import type { ChoiceSyntax, RepeatSyntax, Syntax } from './syntax.ts';

/**
 * An upper bound on what a backtracking engine does with a pattern at one place of a text. `ways` is
 * in how many ways a part can match so that the rest is tried again after each; `steps` is how many
 * characters are compared. The steps of a sequence are those of its parts, each multiplied by the
 * ways of all parts before it: that product is what explodes in `(a+)+b` and in `.*a.*b.*c`.
 */
interface Cost {
  readonly steps: number;
  readonly ways: number;
}

/** Bounds beyond this are all the same: too many. */
const tooMany = 1e12;
const bounded = (value: number): number => (value < tooMany ? value : Infinity);

/** Longest common beginning that tells two branches apart. */
const maxLeading = 24;

/**
 * The most steps of one attempt to match at one place, where an open repetition is taken to stop at
 * `window` characters. Infinity when the number is astronomic.
 */
export const backtrackingSteps = (node: Syntax, window: number): number =>
  costOf(node, { set: [], nullable: true }, window).steps;

function costOf(node: Syntax, follow: First, window: number): Cost {
  switch (node.kind) {
    case 'char':
      return { steps: 1, ways: 1 };
    case 'edge':
      return { steps: 1, ways: 1 };
    case 'look':
      // Looked at once per attempt and never left in a second way. Engines read a lookbehind backwards.
      return {
        steps: 1 + costOf(node.behind ? reverse(node.body) : node.body, { set: [], nullable: true }, window).steps,
        ways: 1,
      };
    case 'sequence':
      return sequenceCost(node.items, follow, window);
    case 'choice':
      return choiceCost(node, follow, window);
    case 'repeat':
      return repeatCost(node, follow, window);
  }
}

function sequenceCost(items: readonly Syntax[], follow: First, window: number): Cost {
  let steps = 0;
  let ways = 1;
  /** Where a landmark behind a gap ends, and the ways that are left there. */
  let landmark: { readonly end: number; readonly ways: number } | undefined;
  for (const [index, item] of items.entries()) {
    const rest = firstOfSequence(items.slice(index + 1));
    const cost = costOf(item, rest.nullable ? join(rest, follow) : rest, window);
    steps = bounded(steps + ways * cost.steps);
    const found = isGap(item) ? findLandmark(items.slice(index + 1)) : undefined;
    if (found !== undefined) {
      const end = index + found.length;
      landmark = { end, ways: bounded(ways * Math.ceil(cost.ways / found.spacing)) };
    }
    ways = bounded(ways * cost.ways);
    if (landmark?.end === index) ways = Math.min(ways, bounded(landmark.ways * cost.ways));
  }
  return { steps, ways };
}

/** Repetitions of one character end at neighbouring places, in one way each. */
const isGap = (item: Syntax): boolean => item.kind === 'repeat' && item.body.kind === 'char';

const join = (a: First, b: First): First => ({
  set: union(a.set, b.set),
  nullable: b.nullable,
  boundary: a.boundary === true,
});

const nonWordChars = complement(wordChars);

/** What can stand behind the syntax: behind a word and a boundary, no character of a word (or nothing at all). */
function behindWord(node: Syntax, follow: First): First {
  if (follow.boundary !== true) return follow;
  const last = firstSet(reverse(node));
  if (last.nullable || !isSubset(last.set, wordChars)) return follow;
  return { set: follow.nullable ? nonWordChars : intersection(follow.set, nonWordChars), nullable: false };
}

/**
 * Branches that begin differently exclude each other: at one place only those can match that agree
 * with each other as far as they are fixed, and the rest fail where they differ.
 */
function choiceCost(node: ChoiceSyntax, follow: First, window: number): Cost {
  const costs = node.branches.map((branch) => costOf(branch, follow, window));
  const leads = node.branches.map((branch) => leadAndFollow(branch, follow));
  let steps = 0;
  let ways = 0;
  for (const [index, cost] of costs.entries()) {
    let together = { steps: cost.steps + 1, ways: cost.ways };
    for (const [other, otherCost] of costs.entries()) {
      if (other === index) continue;
      const common = commonLead(leads[index] ?? [], leads[other] ?? []);
      together =
        common === undefined
          ? { steps: together.steps + otherCost.steps + 1, ways: together.ways + otherCost.ways }
          : { steps: together.steps + common + 1, ways: together.ways };
    }
    steps = Math.max(steps, together.steps);
    ways = Math.max(ways, together.ways);
  }
  return { steps: bounded(steps), ways: bounded(ways) };
}

/** How a branch begins; where it is fixed, what must stand behind it tells it from longer ones. */
function leadAndFollow(branch: Syntax, follow: First): readonly CharSet[] {
  const lead = leadingSets(branch, maxLeading);
  const behind = behindWord(branch, follow);
  return isFixed(branch) && lead.length < maxLeading && !behind.nullable ? [...lead, behind.set] : lead;
}

/** How many characters two beginnings can share; undefined when one text can have both. */
function commonLead(a: readonly CharSet[], b: readonly CharSet[]): number | undefined {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) if (!intersects(a[at] ?? [], b[at] ?? [])) return at;
  return undefined;
}

function repeatCost(node: RepeatSyntax, follow: First, window: number): Cost {
  const first = firstSet(node.body);
  const again: First = node.max > 1 ? join(first, { ...follow, nullable: follow.nullable || first.nullable }) : follow;
  const body = costOf(node.body, again, window);
  const most = node.max === Infinity ? Math.ceil(window / Math.max(1, measureLengths(node.body).min)) : node.max;
  // Going on and stopping are both open wherever the next character suits both.
  const behind = behindWord(node.body, follow);
  const open = behind.nullable || first.nullable || intersects(first.set, behind.set);
  const stops = open ? most - Math.min(node.min, most) + 1 : 1;
  if (body.ways === 1) return { steps: bounded(most * body.steps + stops), ways: stops };
  const ways = bounded(body.ways ** most);
  return { steps: bounded(most * ways * body.steps), ways: bounded(stops * ways) };
}

function reverse(node: Syntax): Syntax {
  switch (node.kind) {
    case 'sequence':
      return { ...node, items: node.items.map(reverse).toReversed() };
    case 'choice':
      return { ...node, branches: node.branches.map(reverse) };
    case 'repeat':
      return { ...node, body: reverse(node.body) };
    case 'char':
    case 'edge':
    case 'look':
      return node;
  }
}

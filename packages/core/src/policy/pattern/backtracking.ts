import { complement, intersection, intersects, isSubset, union, wordChars, type CharSet } from './char-set.ts';
import { firstSet, isFixed, leadingSets, putBefore, type First } from './first-set.ts';
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

/** What stands behind a part. */
interface Follow extends First {
  /** Steps until it is known that what stands behind cannot begin at a place. */
  readonly checks: number;
  /** The first of these checks is a word boundary. */
  readonly boundaryFirst: boolean;
}

const patternEnd: Follow = { set: [], nullable: true, checks: 0, boundaryFirst: false };

/** Bounds beyond this are all the same: too many. */
const tooMany = 1e12;
const bounded = (value: number): number => (value < tooMany ? value : Infinity);

/** Longest common beginning that tells two branches apart. */
const maxLeading = 24;

/**
 * The most steps of one attempt to match at one place, where an open repetition is taken to stop at
 * `window` characters. Infinity when the number is astronomic.
 */
export const backtrackingSteps = (node: Syntax, window: number): number => costOf(node, patternEnd, window).steps;

function costOf(node: Syntax, follow: Follow, window: number): Cost {
  switch (node.kind) {
    case 'char':
      return { steps: 1, ways: 1 };
    case 'edge':
      return { steps: 1, ways: 1 };
    case 'look':
      // Looked at once per attempt and never left in a second way. Engines read a lookbehind backwards.
      return {
        steps: 1 + costOf(node.behind ? reverse(node.body) : node.body, patternEnd, window).steps,
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

function sequenceCost(items: readonly Syntax[], follow: Follow, window: number): Cost {
  const follows = followEach(items, follow, window);
  let steps = 0;
  let ways = 1;
  /** Where a landmark behind a gap ends, and the ways that are left there. */
  let landmark: { readonly end: number; readonly ways: number } | undefined;
  for (const [index, item] of items.entries()) {
    const cost = costOf(item, follows[index] ?? follow, window);
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

/** What stands behind each item of a sequence. */
function followEach(items: readonly Syntax[], follow: Follow, window: number): readonly Follow[] {
  const follows: Follow[] = [];
  let behind = follow;
  for (const item of items.toReversed()) {
    follows.push(behind);
    const rest = firstSet(item).nullable ? behind.checks : 0;
    behind = {
      ...putBefore(item, behind),
      checks: bounded(checksOfItem(item, window) + rest),
      boundaryFirst: item.kind === 'edge' && item.edge === 'word',
    };
  }
  return follows.toReversed();
}

/** Steps until it is known that the items cannot begin at a place where their first character is not. */
function checksOfSequence(items: readonly Syntax[], window: number): number {
  let checks = 0;
  for (const item of items) {
    checks += checksOfItem(item, window);
    if (!firstSet(item).nullable) break;
  }
  return bounded(checks);
}

function checksOfItem(item: Syntax, window: number): number {
  switch (item.kind) {
    case 'char':
      return 1;
    case 'edge':
    case 'look':
      return costOf(item, patternEnd, window).steps;
    case 'sequence':
      return checksOfSequence(item.items, window);
    case 'choice':
      return item.branches.reduce((sum, branch) => sum + 1 + checksOfItem(branch, window), 0);
    case 'repeat':
      return 1 + checksOfItem(item.body, window);
  }
}

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
function choiceCost(node: ChoiceSyntax, follow: Follow, window: number): Cost {
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

function repeatCost(node: RepeatSyntax, follow: Follow, window: number): Cost {
  const first = firstSet(node.body);
  const body = costOf(node.body, node.max > 1 ? followOfBody(node, follow, window) : follow, window);
  const most = node.max === Infinity ? Math.ceil(window / Math.max(1, measureLengths(node.body).min)) : node.max;
  // What stands behind is tried wherever the repetition can stop. Where its first character does not
  // suit the repetition, it gets further than its first checks at one of these places only.
  const stops = most - Math.min(node.min, most) + 1;
  const behind = behindWord(node.body, follow);
  const ways = behind.nullable || first.nullable || intersects(first.set, behind.set) ? stops : 1;
  // Inside a word the boundary behind it fails at once, before anything else is checked.
  const checks = follow.boundaryFirst && behind !== follow ? stops + follow.checks : stops * follow.checks;
  const tries = stops + (ways === 1 ? checks : 0);
  if (body.ways === 1) return { steps: bounded(most * body.steps + tries), ways };
  const paths = bounded(body.ways ** most);
  return { steps: bounded(most * paths * body.steps + paths * tries), ways: bounded(ways * paths) };
}

/** Behind one turn of a repetition comes the next one, or what stands behind all. */
function followOfBody(node: RepeatSyntax, follow: Follow, window: number): Follow {
  const first = firstSet(node.body);
  const either = join(first, { ...follow, nullable: follow.nullable || first.nullable });
  return { ...either, checks: follow.checks + checksOfItem(node.body, window), boundaryFirst: false };
}

/** The syntax as an engine goes through it backwards. There are no lookarounds in it. */
function reverse(node: Syntax): Syntax {
  switch (node.kind) {
    case 'sequence':
      return { ...node, items: node.items.map(reverse).toReversed() };
    case 'choice':
      return { ...node, branches: node.branches.map(reverse) };
    case 'repeat':
      return { ...node, body: reverse(node.body) };
    case 'edge':
      return { ...node, edge: reversedEdges[node.edge] };
    case 'char':
    case 'look':
      return node;
  }
}

const reversedEdges = {
  'text-start': 'text-end',
  'text-end': 'text-start',
  'line-start': 'line-end',
  'line-end': 'line-start',
  word: 'word',
  'not-word': 'not-word',
} as const;

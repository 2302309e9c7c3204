import { complement, intersects, isSubset, wordChars, type CharSet } from './char-set.ts';
import { isFixed, leadingSets } from './first-set.ts';
import type { Syntax } from './syntax.ts';

/** Longest beginning that is looked at. */
const maxLead = 24;

/** What stands behind a gap: the first items that must match as a whole, and how many items they are. */
export interface Landmark {
  readonly length: number;
  /** No two places where it matches are closer together than this. */
  readonly spacing: number;
}

/**
 * The landmark at the start of `items`, for example `\bprevious\b` in `.{0,40}\bprevious\b.{0,40}`.
 * A gap may end at forty places, but a word of eight letters begins at few of them.
 */
export function findLandmark(items: readonly Syntax[]): Landmark | undefined {
  const first = items.findIndex(({ kind }) => kind !== 'edge' && kind !== 'look');
  const item = items[first];
  if (item === undefined) return undefined;
  const bounded = items.slice(0, first).some((edge) => edge.kind === 'edge' && edge.edge === 'word');
  if (item.kind === 'choice') {
    const branches = item.branches.length === 1 ? flattenChoice(item.branches[0]) : item.branches;
    return { length: first + 1, spacing: spacingOf(branches, bounded) };
  }
  let end = first;
  while (items[end] !== undefined && isLetter(items[end])) end += 1;
  if (end === first) return undefined;
  return { length: end, spacing: spacingOf([{ kind: 'sequence', items: items.slice(first, end) }], bounded) };
}

const isLetter = (item: Syntax | undefined): boolean => item?.kind === 'char' && isFixed(item);

/** A group that only wraps another one. */
const flattenChoice = (branch: Syntax | undefined): readonly Syntax[] => {
  if (branch?.kind === 'sequence' && branch.items.length === 1 && branch.items[0]?.kind === 'choice') {
    return branch.items[0].branches;
  }
  return branch === undefined ? [] : [branch];
};

/** The smallest distance at which two of the branches can both match. `bounded`: each at the start of a word. */
function spacingOf(branches: readonly Syntax[], bounded: boolean): number {
  const leads = branches.map((branch) => leadingSets(branch, maxLead));
  let spacing = Math.min(...leads.map((lead) => Math.max(1, lead.length)));
  for (const a of leads) {
    for (const b of leads) {
      for (let shift = 1; shift < spacing; shift += 1) if (canMatchAt(a, b, shift, bounded)) spacing = shift;
    }
  }
  return spacing;
}

const nonWordChars = complement(wordChars);

/** Whether a text can begin with `a`, and `shift` characters on with `b`. */
function canMatchAt(a: readonly CharSet[], b: readonly CharSet[], shift: number, bounded: boolean): boolean {
  const startsWord = bounded && isSubset(b[0] ?? [], wordChars);
  if (startsWord && !intersects(a[shift - 1] ?? [], nonWordChars)) return false;
  for (let at = shift; at < a.length && at - shift < b.length; at += 1) {
    if (!intersects(a[at] ?? [], b[at - shift] ?? [])) return false;
  }
  return true;
}

import { casedUnits, foldVariants } from './case-fold.ts';

/** A set of UTF-16 units as ascending, disjoint, inclusive ranges. Immutable. */
export type CharSet = readonly (readonly [first: number, last: number])[];

const lastUnit = 0xffff;

export const noChars: CharSet = [];
export const allChars: CharSet = [[0, lastUnit]];
export const surrogates: CharSet = [[0xd800, 0xdfff]];
/** What `\w` matches. */
export const wordChars: CharSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

/** Puts ranges in any order into the normal form. */
export function charSet(ranges: CharSet): CharSet {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function union(...sets: readonly CharSet[]): CharSet {
  const filled = sets.filter((set) => set.length > 0);
  return filled.length <= 1 ? (filled[0] ?? noChars) : charSet(filled.flat());
}

export function complement(set: CharSet): CharSet {
  const gaps: [number, number][] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) gaps.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= lastUnit) gaps.push([from, lastUnit]);
  return gaps;
}

export function intersects(a: CharSet, b: CharSet): boolean {
  let at = 0;
  for (const [first, last] of a) {
    while ((b[at]?.[1] ?? Infinity) < first) at += 1;
    const range = b[at];
    if (range === undefined) return false;
    if (range[0] <= last) return true;
  }
  return false;
}

export const intersection = (a: CharSet, b: CharSet): CharSet => complement(union(complement(a), complement(b)));

export const isSubset = (inner: CharSet, outer: CharSet): boolean => !intersects(inner, complement(outer));

export const contains = (set: CharSet, unit: number): boolean =>
  set.some(([first, last]) => first <= unit && unit <= last);

export const size = (set: CharSet): number => set.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** The units of a small set. */
export function* unitsOf(set: CharSet): Generator<number> {
  for (const [first, last] of set) for (let unit = first; unit <= last; unit += 1) yield unit;
}

/**
 * Adds what differs from a member in case only. Without the `u` flag no engine takes an ASCII letter
 * and a character beyond ASCII for the same, so that `\w` stays what it is.
 */
export function addCaseVariants(set: CharSet, unicode: boolean): CharSet {
  const inside = membership(set);
  const members = size(set) <= 256 ? [...unitsOf(set)] : casedUnits().filter((unit) => inside[unit] === 1);
  const added = members.flatMap((member) =>
    foldVariants(member).filter((variant) => inside[variant] === 0 && (unicode || variant < 0x80 === member < 0x80)),
  );
  return added.length === 0 ? set : charSet([...set, ...added.map((unit) => [unit, unit] as const)]);
}

/** By unit: 1 for the members of the set. */
function membership(set: CharSet): Uint8Array {
  const inside = new Uint8Array(lastUnit + 1);
  for (const [first, last] of set) inside.fill(1, first, last + 1);
  return inside;
}

/** By unit: 1 for what `\w` matches. */
export const wordUnits = membership(wordChars);

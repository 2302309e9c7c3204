import type { View } from '../../policy/policy.ts';
import type { Unit } from '../reading/unit.ts';
import type { CompiledSkillPattern, CompiledSkillRules, PartMatch } from './compile-rules.ts';

/** A pattern all of whose parts stand in one unit. */
export interface UnitMatch {
  readonly compiled: CompiledSkillPattern;
  readonly unit: Unit;
  readonly start: number;
  readonly end: number;
  readonly view: View;
}

/** Parts of a pattern in prose stand so close to each other, and in so few sentences: further apart they are two thoughts. */
const reach = 420;
const inSentence = 260;
const boundary = /[.!?]["')\]*]{0,2}\s+(?=[A-Z"'`*([-])|\n\s*\n|\n\s{0,6}(?:[-*#>|]|\d{1,2}[.)])\s|\s\|\s/g;

/** Readings that honest text is not written in; the others turn words into words by chance. */
const decodedViews: ReadonlySet<View> = new Set([
  'tags',
  'base64',
  'base32',
  'hex',
  'url',
  'escapes',
  'entities',
  'folded',
  'plain',
]);

/** Puts the places of the parts into the units of a text, and tells which patterns are complete in one. */
export function matchUnits(
  text: string,
  rules: CompiledSkillRules,
  units: readonly Unit[],
  found: readonly PartMatch[],
): readonly UnitMatch[] {
  const byUnit = new Map<Unit, PartMatch[]>();
  const locate = unitFinder(units);
  for (const match of found) {
    if (!decodedViews.has(match.view)) continue;
    for (const unit of locate(match.start)) {
      const held = byUnit.get(unit);
      if (held === undefined) byUnit.set(unit, [match]);
      else held.push(match);
    }
  }
  const byFirst = Map.groupBy(rules.patterns, ({ all }) => all[0]);
  return Array.from(byUnit, ([unit, matches]) => matchUnit(text, byFirst, unit, matches)).flat();
}

/** The units that a place stands in: usually one, and a second one where it is a comment in a statement. */
function unitFinder(units: readonly Unit[]): (at: number) => readonly Unit[] {
  const sorted = units.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const starts = Int32Array.from(sorted, ({ start }) => start);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    const holding: Unit[] = [];
    // Comments in a statement, and statements in front matter, are the few units that lie within others.
    for (let index = low - 1; index >= 0 && index >= low - 40; index -= 1) {
      const unit = sorted[index] as Unit;
      if (unit.end > at) holding.push(unit);
    }
    // What stands in a comment is not also in the statement around it.
    return holding.length > 1 ? [holding[0] as Unit] : holding;
  };
}

function matchUnit(
  text: string,
  byFirst: ReadonlyMap<number | undefined, readonly CompiledSkillPattern[]>,
  unit: Unit,
  matches: readonly PartMatch[],
): UnitMatch[] {
  const byPart = Map.groupBy(matches, ({ part }) => part);
  const complete: UnitMatch[] = [];
  for (const [part, anchors] of byPart) {
    for (const compiled of byFirst.get(part) ?? []) {
      if (compiled.unless.some((other) => byPart.has(other))) continue;
      const first = anchors
        .flatMap((anchor) => spanOf(compiled, anchor, byPart))
        .find((span) => isOneThought(text, unit, compiled, span));
      if (first !== undefined) complete.push({ compiled, unit, ...first });
    }
  }
  return complete;
}

/** From the first of the parts to the last one, taking of each the nearest to the anchor. */
function spanOf(
  { all }: CompiledSkillPattern,
  anchor: PartMatch,
  byPart: ReadonlyMap<number, readonly PartMatch[]>,
): { start: number; end: number; view: View }[] {
  let { start, end } = anchor;
  let { view } = anchor;
  for (const part of all.slice(1)) {
    const places = byPart.get(part);
    if (places === undefined) return [];
    const nearest = places.reduce((best, place) => (distance(place, anchor) < distance(best, anchor) ? place : best));
    start = Math.min(start, nearest.start);
    end = Math.max(end, nearest.end);
    if (nearest.view !== 'plain') view = nearest.view;
  }
  return [{ start, end, view }];
}

const distance = (one: PartMatch, other: PartMatch): number => Math.abs(one.start - other.start);

/** Whether parts in prose belong together. Statements and command lines always do. */
function isOneThought(
  text: string,
  unit: Unit,
  { pattern }: CompiledSkillPattern,
  { start, end }: Pick<UnitMatch, 'start' | 'end'>,
): boolean {
  if (pattern.all.length === 1 || (unit.isCode && pattern.ground !== 'prose')) return true;
  if (end - start > (pattern.sentences > 1 ? reach : inSentence)) return false;
  const boundaries = text.slice(start, end).match(boundary)?.length ?? 0;
  return boundaries < pattern.sentences;
}

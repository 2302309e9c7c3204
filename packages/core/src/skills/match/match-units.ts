import type { SkillCategory } from '@portcullis/contracts/skills';
import { decodersFor } from '../../policy/views/decode-views.ts';
import { fold } from '../../policy/views/fold.ts';
import type { View } from '../../policy/policy.ts';
import type { Unit } from '../reading/unit.ts';
import { unitFinder } from '../reading/unit-finder.ts';
import type { AnchorMatch, CompiledSkillPattern, CompiledSkillRules } from './compile-rules.ts';

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
/** A statement is looked at so far to either side. */
const inStatement = 2_000;
const boundary = /[.!?]["')\]*]{0,2}\s{1,4}(?=[A-Z"'`*([-])|\n\s{0,40}\n|\n\s{0,6}(?:[-*#>|]|\d{1,2}[.)])\s|\s\|\s/g;

/** Readings that honest text is not written in; the others turn words into words by chance. */
const readViews: ReadonlySet<View> = new Set([
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

/** Disguises that turn honest words into others by chance: in them only what is long and certain counts. */
const disguises: ReadonlySet<View> = new Set(['leet', 'spaced', 'reversed', 'rot13', 'binary', 'morse']);
const disguised: ReadonlySet<SkillCategory> = new Set([
  'prompt_injection',
  'user_deception',
  'data_exfiltration',
  'remote_code_execution',
]);
const shortestDisguised = 16;

const isCertain = ({ pattern, rule }: CompiledSkillPattern, { start, end }: AnchorMatch): boolean =>
  pattern.strength === 'chain' && disguised.has(rule.category) && end - start >= shortestDisguised;

/** Tells which patterns are complete where their anchors stand. */
export function matchUnits(
  text: string,
  rules: CompiledSkillRules,
  units: readonly Unit[],
  found: readonly AnchorMatch[],
): readonly UnitMatch[] {
  const unitAt = unitFinder(units);
  const complete: UnitMatch[] = [];
  const done = new Map<Unit, Set<CompiledSkillPattern>>();
  for (const match of found) {
    const isDisguise = disguises.has(match.view);
    const unit = isDisguise || readViews.has(match.view) ? unitAt(match.start) : undefined;
    if (unit === undefined) continue;
    let ofUnit = done.get(unit);
    if (ofUnit === undefined) done.set(unit, (ofUnit = new Set()));
    for (const compiled of rules.byAnchor.get(match.anchor) ?? []) {
      if (ofUnit.has(compiled) || (isDisguise && !isCertain(compiled, match))) continue;
      const span = completeAt(text, unit, compiled, match);
      if (span === undefined) continue;
      ofUnit.add(compiled);
      complete.push({ compiled, unit, ...span, view: match.view });
    }
  }
  return complete;
}

/** From the first of the parts to the last one, where all of them stand with the anchor. */
function completeAt(
  text: string,
  unit: Unit,
  { pattern, others, unless }: CompiledSkillPattern,
  { start, end, view }: AnchorMatch,
): { readonly start: number; readonly end: number } | undefined {
  if (others.length === 0 && (unless.length === 0 || disguises.has(view))) return { start, end };
  const isProse = !unit.isCode || pattern.ground === 'prose';
  const wide = isProse ? (pattern.sentences > 1 ? reach : inSentence) : inStatement;
  const [least, most] = [Math.max(unit.start, start - wide), Math.max(end, Math.min(unit.end, end + wide))];
  // Most anchors stand alone, which is told before sentences are.
  if (view === 'plain') {
    const reachable = text.slice(least, most);
    if (!others.every((part) => part.test(reachable))) return undefined;
  }
  const [from, to] = around(text, least, most, start, end, isProse ? pattern.sentences : Infinity);
  if (view !== 'plain') {
    const isComplete = readingsOf(text.slice(from, to), view).some(
      (reading) => others.every((part) => part.test(reading)) && !unless.some((part) => part.test(reading)),
    );
    return isComplete ? { start, end } : undefined;
  }
  const passage = text.slice(from, to);
  let [first, last] = [start, end];
  for (const part of others) {
    const match = part.exec(passage);
    if (match === null) return undefined;
    first = Math.min(first, from + match.index);
    last = Math.max(last, from + match.index + match[0].length);
  }
  const surrounding = text.slice(Math.max(unit.start, start - inStatement), Math.min(unit.end, end + inStatement));
  return unless.some((part) => part.test(surrounding)) ? undefined : { start: first, end: last };
}

/** The passage around a place: so many sentences, and no more than from `least` to `most`. */
function around(
  text: string,
  least: number,
  most: number,
  start: number,
  end: number,
  sentences: number,
): readonly [from: number, to: number] {
  if (sentences === Infinity) return [least, most];
  const ends = Array.from(text.slice(least, most).matchAll(boundary))
    .filter(
      ({ index, 0: mark }) => !mark.includes('|') || mark.includes('\n') || !isInCode(text.slice(least, least + index)),
    )
    .map(({ index }) => least + index + 1);
  const from = ends.filter((at) => at <= start).at(-sentences) ?? least;
  const to = ends.filter((at) => at >= end)[sentences - 1] ?? most;
  return [from, to];
}

/** A bar between backquotes joins two commands; others part the cells of a row. */
const isInCode = (before: string): boolean => before.slice(before.lastIndexOf('\n') + 1).split('`').length % 2 === 0;

/** What a passage says in a view. */
function readingsOf(passage: string, view: View): readonly string[] {
  const folded = fold(passage);
  if (view === 'folded') return folded === undefined ? [] : [folded.text];
  if (view === 'tags') return folded?.smuggled.map(({ text }) => text) ?? [];
  const readings: string[] = [];
  for (const decode of decodersFor(passage)) {
    decode(passage, { marks: 0, firstMark: 0, lastMark: 0 }, (piece) => {
      if (piece.view === view) readings.push(piece.text);
      return readings.length < 20;
    });
  }
  return readings;
}

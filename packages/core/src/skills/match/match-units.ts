import type { SkillCategory } from '@portcullis/contracts/skills';
import { decodersFor } from '../../policy/views/decode-views.ts';
import { fold } from '../../policy/views/fold.ts';
import type { View } from '../../policy/policy.ts';
import type { Unit } from '../reading/unit.ts';
import { unitFinder } from '../reading/unit-finder.ts';
import type { AnchorMatch, CompiledSkillPattern, CompiledSkillRules } from './compile-rules.ts';
import { excuseText, isComment } from './excuse-text.ts';

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
  const comments = units.filter(isComment);
  const complete: UnitMatch[] = [];
  const done = new Map<Unit, UnitState>();
  for (const match of found) {
    const isDisguise = disguises.has(match.view);
    const unit = isDisguise || readViews.has(match.view) ? unitAt(match.start) : undefined;
    if (unit === undefined) continue;
    let ofUnit = done.get(unit);
    if (ofUnit === undefined) done.set(unit, (ofUnit = { complete: new Set(), absent: new Set() }));
    for (const compiled of rules.byAnchor.get(match.anchor) ?? []) {
      if (ofUnit.complete.has(compiled) || (isDisguise && !isCertain(compiled, match))) continue;
      const span = completeAt({ text, comments, unit, state: ofUnit }, compiled, match);
      if (span === undefined) continue;
      ofUnit.complete.add(compiled);
      complete.push({ compiled, unit, ...span, view: match.view });
    }
  }
  return complete;
}

/** What is known of a unit: patterns that it completes, and parts that stand nowhere in it. */
interface UnitState {
  readonly complete: Set<CompiledSkillPattern>;
  readonly absent: Set<RegExp>;
}

interface UnitPlace {
  readonly text: string;
  /** Of the file. */
  readonly comments: readonly Unit[];
  readonly unit: Unit;
  readonly state: UnitState;
}

/** From the first of the parts to the last one, where all of them stand with the anchor. */
function completeAt(
  place: UnitPlace,
  { pattern, others, unless }: CompiledSkillPattern,
  { start, end, view }: AnchorMatch,
): { readonly start: number; readonly end: number } | undefined {
  if (others.length === 0 && (unless.length === 0 || disguises.has(view))) return { start, end };
  const { text, comments, unit } = place;
  const isProse = !unit.isCode || pattern.ground === 'prose';
  const wide = isProse ? (pattern.sentences > 1 ? reach : inSentence) : inStatement;
  const [least, most] = [Math.max(unit.start, start - wide), Math.max(end, Math.min(unit.end, end + wide))];
  // Most anchors stand alone, which is told before sentences are.
  if (view === 'plain' && !standsNear(place, others, least, most)) return undefined;
  const [from, to] = around(text, least, most, start, end, isProse ? pattern.sentences : Infinity);
  if (view !== 'plain') {
    const isComplete = readingsOf(text.slice(from, to), view).some(
      (reading) => others.every((part) => part.test(reading)) && !unless.some((part) => part.test(reading)),
    );
    return isComplete ? { start, end } : undefined;
  }
  // Where a part stands twice, the one beside the anchor counts: the other may stand there for its excuse.
  const beside = isProse ? around(text, least, most, start, end, 1) : linesAround(text, least, most, start, end);
  const span = spanOf(text, others, [start, end], [beside, [from, to]]);
  if (span === undefined) return undefined;
  const [first, last] = span;
  if (unless.length === 0) return { start: first, end: last };
  const excuse = isProse
    ? text.slice(...around(text, least, most, first, last, 1))
    : excuseText(text, unit, comments, [first, last]);
  return unless.some((part) => part.test(excuse)) ? undefined : { start: first, end: last };
}

type Span = readonly [from: number, to: number];

/** From the first of the parts to the last one, each in the first of the passages that holds it. */
function spanOf(
  text: string,
  parts: readonly RegExp[],
  [start, end]: Span,
  passages: readonly Span[],
): Span | undefined {
  let [first, last] = [start, end];
  for (const part of parts) {
    const place = passages.reduce<Span | undefined>((found, [from, to]) => {
      if (found !== undefined) return found;
      const match = part.exec(text.slice(from, to));
      return match === null ? undefined : [from + match.index, from + match.index + match[0].length];
    }, undefined);
    if (place === undefined) return undefined;
    first = Math.min(first, place[0]);
    last = Math.max(last, place[1]);
  }
  return [first, last];
}

function linesAround(text: string, least: number, most: number, start: number, end: number): Span {
  const newline = text.indexOf('\n', end);
  return [Math.max(least, text.lastIndexOf('\n', start - 1) + 1), Math.min(most, newline < 0 ? text.length : newline)];
}

/** Whether each part stands between two places of a unit. Once it is looked for in all of it: anchors come in crowds. */
function standsNear({ text, unit, state }: UnitPlace, parts: readonly RegExp[], least: number, most: number): boolean {
  if (parts.some((part) => state.absent.has(part))) return false;
  const near = text.slice(least, most);
  const missing = parts.find((part) => !part.test(near));
  if (missing === undefined) return true;
  if (!missing.test(text.slice(unit.start, unit.end))) state.absent.add(missing);
  return false;
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

import { RE2JS } from 're2js';
import type { AnalysedPattern } from './analysed-pattern.ts';
import { contains, wordUnits } from './char-set.ts';
import { anyRun, digitRuns, runAt } from './digit-runs.ts';
import { renderLinear } from './linear-source.ts';
import { allUnits } from './literals.ts';
import { measureLengths } from './measure.ts';
import { stripLookbehind } from './parse-syntax.ts';
import { createUnitSet, has, type UnitSet } from './path-program.ts';
import type { Syntax } from './syntax.ts';

/**
 * Finds matches of one pattern. The place of the last find is kept in `start` and `end`, so that
 * finding allocates nothing; a matcher is shared by all scans, which never interleave.
 */
export interface Matcher {
  readonly start: number;
  readonly end: number;
  /** The leftmost match that starts in `from` … `to`, both included. The text around it is looked at too. */
  find(text: string, from: number, to: number): boolean;
}

/** A matcher on the engine that the analysis chose. */
export const createMatcher = (pattern: AnalysedPattern): Matcher =>
  pattern.engine === 'native' ? new NativeMatcher(pattern) : createLinearMatcher(pattern);

/** A matcher on the native engine, for a pattern with an open lead of which the scan bounds the length. */
export const createNativeMatcher = (pattern: AnalysedPattern): Matcher => new NativeMatcher(pattern);

/** A matcher on the engine whose time is linear in the text, for any pattern. */
export const createLinearMatcher = (pattern: AnalysedPattern): Matcher => new LinearMatcher(pattern);

/** Ranges up to this wide are tried place by place, which needs no window cut out of the text. */
const narrow = 64;

/** Lookbehinds that read further back than this are asked after the rest of the pattern. */
const farBehind = 8;

class NativeMatcher implements Matcher {
  start = 0;
  end = 0;
  readonly #sticky: RegExp;
  readonly #source: string;
  readonly #flags: string;
  #global: RegExp | undefined;
  /** By unit below 128: 1 when a match can begin with it. */
  readonly #firstAscii = new Uint8Array(128);
  /** Bits of the runs of digits that a match may begin with. */
  readonly #digitRuns: number;
  readonly #startsWord: boolean;
  readonly #runs: UnitRuns | undefined;
  /** Of a row of these units only the first can begin a match. */
  readonly #lead: UnitSet | undefined;
  /** What stands behind a lookbehind, where that costs more. */
  readonly #rest: RegExp | undefined;

  constructor(pattern: AnalysedPattern) {
    this.#source = pattern.source;
    this.#flags = pattern.flags;
    this.#sticky = new RegExp(pattern.source, `${pattern.flags}y`);
    this.#startsWord = pattern.startsWord;
    this.#digitRuns = digitRuns(pattern.syntax);
    this.#runs = pattern.literals === undefined ? unitRuns(pattern.syntax) : undefined;
    this.#lead = pattern.openLead && createUnitSet(pattern.openLead.set);
    const rest = pattern.left > farBehind ? stripLookbehind(pattern.source, pattern.flags) : undefined;
    this.#rest = rest === undefined ? undefined : new RegExp(rest, `${pattern.flags}y`);
    for (let unit = 0; unit < 128; unit += 1) this.#firstAscii[unit] = contains(pattern.first, unit) ? 1 : 0;
  }

  find(text: string, from: number, to: number): boolean {
    if (to >= text.length && to - from > narrow) return this.#search(text, from);
    const sticky = this.#sticky;
    const last = Math.min(to, text.length - 1);
    for (let at = from; at <= last; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 128 && this.#firstAscii[unit] === 0) continue;
      if (this.#digitRuns !== anyRun && unit <= 0x39 && unit >= 0x30 && (this.#digitRuns & runAt(text, at)) === 0)
        continue;
      // Cheaper than the engine, and most literals are found in the middle of longer words.
      if (this.#startsWord && at > 0 && wordUnits[text.charCodeAt(at - 1)] === 1) continue;
      if (this.#lead !== undefined && at > from && has(this.#lead, text.charCodeAt(at - 1))) continue;
      if (this.#rest !== undefined) {
        this.#rest.lastIndex = at;
        if (!this.#rest.test(text)) continue;
      }
      sticky.lastIndex = at;
      if (!sticky.test(text)) continue;
      this.start = at;
      this.end = sticky.lastIndex;
      return true;
    }
    return false;
  }

  #search(text: string, from: number): boolean {
    if (this.#runs !== undefined) return this.#searchRuns(text, from, this.#runs);
    this.#global ??= new RegExp(this.#source, `${this.#flags}g`);
    this.#global.lastIndex = from;
    const match = this.#global.exec(text);
    if (match === null) return false;
    this.start = match.index;
    this.end = this.#global.lastIndex;
    return this.start < text.length;
  }

  /** Looks at every so many units only: a run that is long enough cannot be missed. */
  #searchRuns(text: string, from: number, { units, min }: UnitRuns): boolean {
    for (let at = from + min - 1; at < text.length; at += min) {
      if (!has(units, text.charCodeAt(at))) continue;
      let start = at;
      while (start > from && has(units, text.charCodeAt(start - 1))) start -= 1;
      let end = at + 1;
      while (end < text.length && has(units, text.charCodeAt(end))) end += 1;
      if (end - start >= min && this.find(text, start, end - min)) return true;
      at = end;
    }
    return false;
  }
}

/** Where nothing but runs of some units can match, that are at least so long. */
interface UnitRuns {
  readonly units: UnitSet;
  readonly min: number;
}

/** Shorter runs are too many, and so are those of units that every word has around it. */
const shortestRun = 12;

function unitRuns(syntax: Syntax): UnitRuns | undefined {
  const { min } = measureLengths(syntax);
  const units = allUnits(syntax);
  return min < shortestRun || contains(units, 0x20) ? undefined : { units: createUnitSet(units), min };
}

class LinearMatcher implements Matcher {
  start = 0;
  end = 0;
  readonly #expression: RE2JS;
  readonly #left: number;
  /** How much text behind the first place a match can reach: code points may be two units each. */
  readonly #reach: number;

  constructor(pattern: AnalysedPattern) {
    this.#expression = RE2JS.compile(renderLinear(pattern.syntax));
    this.#left = pattern.left;
    this.#reach = pattern.bounded ? pattern.maxLength * 2 + pattern.right + 1 : Infinity;
  }

  find(text: string, from: number, to: number): boolean {
    const windowStart = Math.max(0, from - this.#left);
    const windowEnd = Math.min(text.length, to + this.#reach);
    const matcher = this.#expression.matcher(text.slice(windowStart, windowEnd));
    if (!matcher.find(from - windowStart)) return false;
    this.start = matcher.start() + windowStart;
    this.end = matcher.end() + windowStart;
    return this.start <= to && this.start < text.length;
  }
}

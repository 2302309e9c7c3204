import type { Candidates } from './candidates.ts';
import { unitsOf } from '../views/text-units.ts';
import { nativeWindow } from '../pattern/analyse-pattern.ts';
import type { OpenLead } from '../pattern/analysed-pattern.ts';
import { ActivePaths } from '../pattern/active-paths.ts';
import type { Matcher } from '../pattern/matcher.ts';
import type { CompiledPattern } from '../plan/compiled-pattern.ts';
import type { PlanScope } from '../scope/plan-scope.ts';
import type { ScopedPattern } from '../scope/scoped-pattern.ts';
import type { ScanContext } from '../policy.ts';
import type { Marks } from '../views/decode-views.ts';
import { block, sectionOf, stepBlock } from './blocks.ts';
import { Confirmations } from '../plan/confirmations.ts';
import type { FindingLog } from './finding-log.ts';
import type { ScanWork } from './scan-work.ts';
import type { SignalHit } from './signal-tally.ts';

/** A frontier behind every text: the pattern has nothing more to find. */
const done = 0x7fff_ffff;

/** So much before a block is looked at to tell whether a word begins in it. */
const beforeBlock = 256;

/** What it comes to, beside the characters, that a detector verifies a match. */
const verifyCost = 300;

/** So much of a long text a pattern without a longest match gets to see behind the beginning of one. */
const farthest = 8_192;

/** Paths of a pattern without a longest match are followed for so many characters at a time. */
const openStride = 64;

/** More of the characters that a pattern begins with are left to the linear engine. */
const openStretch = 1_024;

export interface TrialParts {
  readonly candidates: Candidates;
  /** Number of patterns. */
  readonly patterns: number;
  readonly work: ScanWork;
  readonly log: FindingLog;
}

/**
 * Tries patterns in one reading of a text at the places where matches can begin, from left to right and each place once.
 * The tables are kept between readings.
 */
export class PatternTrials {
  readonly #candidates: Candidates;
  readonly #work: ScanWork;
  readonly #log: FindingLog;
  /** By pattern: the first place not yet tried. */
  readonly #frontier: Int32Array;
  readonly #confirmations = new Confirmations();
  readonly #paths = new Map<CompiledPattern, ActivePaths>();
  /** Patterns whose row in the tables is not zero. */
  readonly #touched: ScopedPattern[] = [];
  #text = '';
  #context: ScanContext;
  #scope: PlanScope;
  #size = 0;

  constructor({ candidates, patterns, work, log }: TrialParts, scope: PlanScope, context: ScanContext) {
    this.#candidates = candidates;
    this.#work = work;
    this.#log = log;
    this.#frontier = new Int32Array(patterns);
    this.#scope = scope;
    this.#context = context;
  }

  /** @param size of the text that is scanned as a whole */
  open(scope: PlanScope, context: ScanContext, size: number): void {
    this.#scope = scope;
    this.#context = context;
    this.#size = size;
  }

  begin(text: string): void {
    this.#text = text;
  }

  /** Reads a long text and tries its patterns, and tells for each section of it what it says about other readings. */
  *readBlocks(marks: Marks[]): Generator<undefined, void> {
    const text = this.#text;
    const { length } = text;
    const section = sectionOf(text);
    for (let from = 0; from < length && !this.#work.isOver; from += stepBlock) {
      const to = Math.min(from + stepBlock, length);
      const readTo = to === length ? Infinity : to;
      const base = Math.max(0, from - beforeBlock);
      if (from % section === 0) this.#candidates.forgetMarks();
      this.#candidates.read(unitsOf(text.slice(base, to)), from, to, this.#scope.candidates, false, base);
      const { marks: bits, firstMark, lastMark } = this.#candidates;
      marks[Math.floor(from / section)] = { marks: bits, firstMark, lastMark };
      this.#settlePlaces(readTo);
      if (this.#work.endsStep(stepBlock)) yield;
      const { touched, touchedCount } = this.#candidates;
      for (const index of touched.subarray(0, touchedCount)) while (this.#tryPlaces(index, readTo)) yield;
      if (to < length) this.#candidates.settle(to);
    }
  }

  /** Tries everywhere in a long text what no word leads to. */
  *findInBlocks(): Generator<undefined, void> {
    const { length } = this.#text;
    for (const pattern of this.#scope.unanchored) {
      for (let from = 0; from < length;) {
        const end = Math.min(from + stepBlock, length);
        from = this.#findInBlock(pattern, from, end);
        if (this.#work.endsStep(stepBlock)) yield;
      }
      for (const { index } of pattern.uses) this.#log.counts[index] = 0;
    }
  }

  /**
   * Reports the matches that start in `from` … `to` of a long text, and answers the place to go on at. A match of a
   * pattern without a longest one is found where it is no longer than `farthest`. To tell that none begins the engine
   * reads to the end of the part, so of such a pattern the answer holds for a whole block.
   */
  #findInBlock(pattern: ScopedPattern, from: number, to: number): number {
    const { compiled } = pattern;
    const { left, window, weight, bounded } = compiled.pattern;
    const matcher = bounded ? compiled.matcher : compiled.linear;
    const start = Math.max(0, from - left);
    const last = bounded ? to : Math.max(to, from + stepBlock);
    const part = this.#text.slice(start, last + (bounded ? window : farthest));
    let place = from;
    let cost = to + 1 - from;
    while (place <= to && this.#work.spend(cost * weight)) {
      const isFound = matcher.find(part, place - start, part.length);
      if (!isFound || matcher.start + start > to) {
        // The next one begins there, or in no place of the block.
        const next = isFound ? Math.min(matcher.start + start, last + 1) : last + 1;
        this.#work.spend((next - to) * weight);
        return Math.max(next, to + 1);
      }
      cost = bounded ? window : start + part.length - matcher.end;
      place = this.#report(pattern, matcher, start);
    }
    return Math.max(place, to + 1);
  }

  /** Tries the patterns in a text that has been read to its end. */
  tryAlone(isOnly: boolean): void {
    this.#settlePlaces(Infinity);
    if (isOnly) {
      this.#tryReaching();
      return;
    }
    const { touched, touchedCount } = this.#candidates;
    for (let at = 0; at < touchedCount; at += 1) this.#tryPlaces(touched[at] as number, Infinity);
  }

  /** Where nothing else is read, signs are looked for only as long as enough of them may come together. */
  #tryReaching(): void {
    const { touched, touchedCount, lists } = this.#candidates;
    if (touchedCount === 0) return;
    const { reach, unanchored } = this.#scope;
    reach.clear();
    for (const { compiled } of unanchored) reach.notePattern(compiled.index);
    for (const { terms, signal } of this.#log.signals) reach.note(terms, signal);
    for (let at = 0; at < touchedCount; at += 1) {
      const index = touched[at] as number;
      if ((lists[index]?.length ?? 0) > 0) reach.notePattern(index);
    }
    for (let at = 0; at < touchedCount; at += 1) {
      const index = touched[at] as number;
      if ((lists[index]?.length ?? 0) === 0 || reach.isIdle(index)) continue;
      let known = this.#log.signals.length;
      this.#tryPlaces(index, Infinity);
      for (; known < this.#log.signals.length; known += 1) {
        const { terms, signal } = this.#log.signals[known] as SignalHit;
        reach.note(terms, signal);
      }
      reach.passPattern(index);
    }
  }

  /** Takes off the places where no match can be, as far as that is known when the text has been read up to `readTo`. */
  #settlePlaces(readTo: number): void {
    const { touched, touchedCount, lists, seen } = this.#candidates;
    const { patterns } = this.#scope.candidates;
    for (let at = 0; at < touchedCount; at += 1) {
      const index = touched[at] as number;
      const compiled = patterns[index]?.compiled;
      const list = lists[index];
      if (compiled === undefined || list === undefined) continue;
      compiled.narrow(this.#text, list);
      list.sort();
      if (compiled.coRequired !== undefined) compiled.keepAccompanied(list, seen[compiled.coRequired], readTo);
    }
  }

  /** Tries a pattern at its places; true when the step is over before they are. */
  #tryPlaces(index: number, readTo: number): boolean {
    const pattern = this.#scope.candidates.patterns[index];
    const list = this.#candidates.lists[index];
    if (pattern === undefined || list === undefined || list.length === 0) return false;
    const horizon = readTo - pattern.compiled.horizon;
    let next = 0;
    let isOver = false;
    for (; next < list.length && !this.#work.isOver && !isOver; next += 1) {
      const to = list.to(next);
      if (to > horizon) break;
      const tried = this.#frontier[index] as number;
      if (to < tried) continue;
      if (tried === 0) this.#touched.push(pattern);
      const triedTo = this.#findFrom(pattern, Math.max(list.from(next), tried), to);
      this.#frontier[index] = triedTo;
      isOver = this.#work.endsStep(0);
      // A part of a long range is left for the next step.
      if (triedTo <= to) {
        isOver = true;
        break;
      }
    }
    list.drop(next);
    return isOver;
  }

  /** Reports the matches that start in `from` … `to` and answers the place to go on at. */
  #findFrom(pattern: ScopedPattern, from: number, to: number): number {
    const { bounded, engine, openLead } = pattern.compiled.pattern;
    if (openLead !== undefined && to - from <= openStretch) return this.#findLed(pattern, openLead, from, to);
    if (bounded) return this.#findBounded(pattern, from, to);
    if (engine === 'native' && pattern.compiled.maxReach !== Infinity) return this.#findOpen(pattern, from, to);
    return this.#findFar(pattern, from, to);
  }

  /** What no window holds: in a long text part by part. */
  #findFar(pattern: ScopedPattern, from: number, to: number): number {
    if (this.#text.length <= block) return this.#findEverywhere(pattern, from);
    return this.#findInBlock(pattern, from, Math.min(to, from + stepBlock));
  }

  #findBounded(pattern: ScopedPattern, from: number, to: number): number {
    const { matcher, pattern: analysed } = pattern.compiled;
    let place = from;
    while (place <= to && this.#work.spend(analysed.window * analysed.weight)) {
      if (!matcher.find(this.#text, place, to)) break;
      place = this.#report(pattern, matcher, 0);
    }
    return Math.max(place, to + 1);
  }

  /** The places are all that a match can begin with before its text, so the lead is no longer than they are. */
  #findLed(pattern: ScopedPattern, { rest, weight }: OpenLead, from: number, to: number): number {
    const { native } = pattern.compiled;
    let place = from;
    while (place <= to && this.#work.spend((to - place + rest + 1) * weight)) {
      if (!native.find(this.#text, place, to)) break;
      place = this.#report(pattern, native, 0);
    }
    return Math.max(place, to + 1);
  }

  /**
   * A pattern without a longest match, natively, in a window that holds all that any of its paths can
   * take. Paths that go on for longer than a window are left to the linear engine, from there to the end.
   */
  #findOpen(pattern: ScopedPattern, from: number, to: number): number {
    const text = this.#text;
    const { compiled } = pattern;
    const { left, right, weight } = compiled.pattern;
    const start = Math.max(0, from - left);
    const longest = Math.min(text.length, to + nativeWindow);
    const paths = this.#pathsOf(compiled);
    const { visited } = paths;
    paths.restart(from);
    const places = [{ from, to }];
    for (let end = to + openStride; !paths.isEmpty || paths.position <= to; end += openStride) {
      paths.read(text, 0, Math.min(end, longest), places);
      if (paths.position === longest) break;
    }
    this.#work.spend(paths.visited - visited);
    const end = paths.isEmpty ? Math.min(text.length, paths.position + right) : text.length;
    if (!paths.isEmpty && longest < text.length) return this.#findFar(pattern, from, to);

    // Where the text ends before the paths do, some of them may be complete.
    if (!paths.hasEnded && paths.isEmpty) return to + 1;
    let place = from;
    while (place <= to && this.#work.spend((end - place) * weight)) {
      if (!compiled.matcher.find(text.slice(start, end), place - start, to - start)) break;
      place = this.#report(pattern, compiled.matcher, start);
    }
    return Math.max(place, to + 1);
  }

  #pathsOf(pattern: CompiledPattern): ActivePaths {
    let paths = this.#paths.get(pattern);
    if (paths === undefined) this.#paths.set(pattern, (paths = new ActivePaths(pattern.paths)));
    return paths;
  }

  /**
   * Reports all matches from `from` to the end of the text. The pass over the text is charged, and so is
   * what each match has read again.
   */
  #findEverywhere(pattern: ScopedPattern, from: number): number {
    const { compiled } = pattern;
    const { length } = this.#text;
    const { bounded, window, weight } = compiled.pattern;
    const matcher = bounded ? compiled.matcher : compiled.linear;
    let place = from;
    let cost = length - from;
    while (place < length && this.#work.spend(cost * weight) && matcher.find(this.#text, place, length)) {
      cost = bounded ? window : length - matcher.end;
      place = this.#report(pattern, matcher, 0);
    }
    for (const { index } of pattern.uses) this.#log.counts[index] = 0;
    return done;
  }

  /** Adds the matcher's last find and answers where to go on. */
  #report({ compiled, uses }: ScopedPattern, matcher: Matcher, base: number): number {
    const end = matcher.end + base;
    const place = { text: this.#text, start: matcher.start + base, end, base: 0 };
    const known = compiled.judge(place, this.#confirmations);
    if (compiled.detector !== undefined) this.#work.takeStep(verifyCost);
    if (known === undefined) return end;
    let wanted = false;
    for (const use of uses) {
      const { terms, index } = use;
      const count = this.#log.counts[index] as number;
      if (count >= terms.maxFindings) continue;
      const counts = terms.accept(place, known, this.#context, this.#size);
      if (counts) this.#log.add(use, place, known);
      if (counts) this.#log.counts[index] = count + 1;
      wanted ||= count + (counts ? 1 : 0) < terms.maxFindings;
    }
    return wanted ? end : done;
  }

  /** Tries everywhere what no word leads to. */
  tryUnanchored(): void {
    for (const pattern of this.#scope.unanchored) this.#findEverywhere(pattern, 0);
  }

  /** Leaves the tables as the next reading wants to find them. */
  resetReading(): void {
    const { counts } = this.#log;
    for (const { compiled, uses } of this.#touched) {
      this.#frontier[compiled.index] = 0;
      for (const { index } of uses) counts[index] = 0;
    }
    if (this.#touched.length > 0) this.#touched.length = 0;
    this.#candidates.clear();
  }

  reset(): void {
    this.resetReading();
    this.#confirmations.clear();
    this.#text = '';
  }
}

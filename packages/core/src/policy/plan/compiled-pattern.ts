import type { Confirmations } from './confirmations.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { around, type PatternDetector } from '../detectors/detector.ts';
import type { Known, MatchPlace, MatchTerms } from './match-terms.ts';
import type { AnalysedPattern } from '../pattern/analysed-pattern.ts';
import { createLinearMatcher, createMatcher, createNativeMatcher, type Matcher } from '../pattern/matcher.ts';
import { ActivePaths } from '../pattern/active-paths.ts';
import { compilePaths, createUnitSet, has, type PathProgram, type UnitSet } from '../pattern/path-program.ts';
import type { EndList } from '../finder/end-list.ts';
import type { PlaceList } from '../finder/place-list.ts';
import type { PatternNote } from '../policy.ts';

/** Rules that look for the same thing on the same terms, or as the same signal. */
export interface PatternUse {
  /** Among all uses of a plan. */
  readonly index: number;
  readonly terms: MatchTerms;
  /** Place in the list of signals. */
  readonly signal: number | undefined;
  readonly rules: readonly CompiledRule[];
}

const nothingKnown: Known = {};

/** What stands further before the text of a match is not looked at: in a long text that would be done again and again. */
const farthestLead = 65_536;

/** More than this are not kept for the streams to come. */
const maxIdlePaths = 8;

/** One pattern, ready to run, and everything that rules of all policies use it for. */
export class CompiledPattern {
  readonly index: number;
  readonly pattern: AnalysedPattern;
  /** The same pattern may be verified by a detector or by none: those are two. */
  readonly detector: PatternDetector | undefined;
  readonly uses: readonly PatternUse[];
  readonly notes: readonly PatternNote[];
  /** Distance from the start of a match to the end of a literal in it; set when the automaton is built. */
  minReach = 0;
  maxReach = Infinity;
  /** Which of the plan's co-required texts a match has to contain, and how far from its start that ends at least and at most. */
  coRequired: number | undefined = undefined;
  coRequiredFrom = 0;
  coRequiredReach = 0;
  /** How much text behind a match it takes to tell if it is one. */
  readonly after: number;
  #matcher: Matcher | undefined;
  #linear: Matcher | undefined;
  #native: Matcher | undefined;
  #paths: PathProgram | undefined;
  #lead: UnitSet | undefined;
  readonly #idlePaths: ActivePaths[] = [];

  constructor({ index, pattern, detector, uses, notes }: Fields) {
    this.index = index;
    this.pattern = pattern;
    this.detector = detector;
    this.uses = uses;
    this.notes = notes;
    this.after = detector !== undefined || uses.some(({ terms }) => terms.looksAround) ? around.after : 0;
  }

  /** Compiled at the first use, as everything behind it: most patterns of a large policy never see their literal. */
  get matcher(): Matcher {
    return (this.#matcher ??= createMatcher(this.pattern));
  }

  /** The pattern itself on the linear engine, for matches that outgrow the native window. */
  get linear(): Matcher {
    return (this.#linear ??= createLinearMatcher(this.pattern));
  }

  /** The pattern on the native engine, for short texts before which a pattern with an open lead may begin. */
  get native(): Matcher {
    return (this.#native ??= createNativeMatcher(this.pattern));
  }

  get paths(): PathProgram {
    return (this.#paths ??= compilePaths(this.pattern.syntax));
  }

  /** Paths to be restarted. Most places are decided after a few characters: making the tables anew would cost more. */
  takePaths(): ActivePaths {
    return this.#idlePaths.pop() ?? new ActivePaths(this.paths);
  }

  /** Takes back what is followed no more. */
  returnPaths(paths: ActivePaths): void {
    if (this.#idlePaths.length < maxIdlePaths) this.#idlePaths.push(paths);
  }

  /** Takes off the places from which no match reaches its text, since something else stands between them. */
  narrow(text: string, places: PlaceList): void {
    const { literals } = this.pattern;
    if (literals === undefined || literals.before.max === 0) return;
    const { min } = literals.before;
    const lead = (this.#lead ??= createUnitSet(literals.lead));
    let lastEnd = -1;
    let lastFirst = 0;
    places.narrow((from, to) => {
      const end = to + min;
      const least = Math.max(from, end - farthestLead);
      let first = end;
      while (first > least && first !== lastEnd && has(lead, text.charCodeAt(first - 1))) first -= 1;
      // What stands before an earlier text has been looked at already.
      if (first === lastEnd) first = Math.max(least, lastFirst);
      lastEnd = end;
      lastFirst = first;
      return first;
    });
  }

  /** How much of a text has to be read behind a place to know all that matters to it. */
  get horizon(): number {
    return Math.max(this.maxReach === Infinity ? 0 : this.maxReach, this.coRequiredReach);
  }

  /** Takes off the places whose coRequired stands nowhere near; `ends` is where its texts end, up to `readTo`. */
  keepAccompanied(places: PlaceList, ends: EndList | undefined, readTo: number): void {
    const horizon = readTo - this.horizon;
    let seen = 0;
    places.narrow((from, to) => {
      if (to > horizon) return from;
      seen = ends?.skipTo(from + this.coRequiredFrom, seen) ?? 0;
      return (ends?.at(seen) ?? Infinity) <= to + this.coRequiredReach ? from : to + 1;
    });
  }

  /** What the detector says of a match; undefined when it is none. */
  judge({ text, start, end }: MatchPlace, confirmations: Confirmations): Known | undefined {
    const { detector } = this;
    if (detector === undefined) return nothingKnown;
    const before = text.slice(Math.max(0, start - around.before), start);
    const after = text.slice(end, end + around.after);
    const confidence = detector.validate(text.slice(start, end), before, after, confirmations.of(this.index, detector));
    return confidence === undefined ? undefined : { type: detector.type, confidence };
  }
}

type Fields = Pick<CompiledPattern, 'index' | 'pattern' | 'detector' | 'uses' | 'notes'>;

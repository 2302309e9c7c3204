import { mostWeighed } from '../detectors/linear-classifier/clean-text.ts';
import { finish } from './steps.ts';
import { Candidates } from '../finder/candidates.ts';
import { mostUnits } from '../finder/finder-kernel.ts';
import type { CompiledPattern, PatternUse } from '../plan/compiled-pattern.ts';
import { budgetExceeded, type CompiledPlan } from '../plan/compiled-plan.ts';
import type { FindingPlace } from '../plan/compiled-rule.ts';
import { Confirmations } from './confirmations.ts';
import type { Known, MatchPlace } from '../plan/match-terms.ts';
import { nativeWindow } from '../pattern/analyse-pattern.ts';
import type { OpenLead } from '../pattern/analysed-pattern.ts';
import { LivePaths } from '../pattern/live-paths.ts';
import type { Matcher } from '../pattern/matcher.ts';
import { PlanScopes, type PlanScope, type ScopedScore } from '../plan/plan-scope.ts';
import type { ScopedPattern } from '../plan/scoped-pattern.ts';
import { workForBody, type Finding, type ScanContext, type View } from '../policy.ts';
import { signsOf, textSign, unitsOf } from '../finder/text-units.ts';
import { longText, tallySignals, type SignalHit } from './signal-tally.ts';
import { decodersFor, type Decoder, type Marks } from '../views/decode-views.ts';
import { fold, placesOf, type Folded } from '../views/fold.ts';
import { holdsControls } from '../views/fold-table.ts';
import { fewestInLongRun, unpackRuns } from '../views/long-runs.ts';
import { spanning, type Piece } from '../views/piece.ts';

const noFindings: readonly Finding[] = Object.freeze([]);
const noDecoders: readonly Decoder[] = [];

/**
 * A rule that wants every place hidden has so many findings in one reading; the last one goes on to the end of whatever
 * it would find behind it, so that all of it is hidden.
 */
const maxPlaces = 2_000;

/** A frontier behind every text: the pattern has nothing more to find. */
const done = 0x7fff_ffff;

/** So much is read before patterns are tried, so that the places to try take up no more than so much room. */
const block = mostUnits;

/** The same where a scan goes on in steps, so that none of them is long. Shorter texts are one step. */
export const stepBlock = 4_096;

/** Longer texts are read by sections even where nobody waits for the steps. */
const longestWhole = 32_768;

const sectionOf = ({ length }: string): number => (length <= longestWhole ? longestWhole : sectionLength);

/** What a part folds or decodes to is read in one step up to this length: a few of its characters may cost much. */
const readAtOnce = 1_024;

/** What a long text says otherwise is read in sections of so many characters, */
const sectionLength = 4 * stepBlock;
/** each of which begins so much before the end of the one before: longer secrets are cut. */
const sectionOverlap = 4_096;

/** So much before a block is looked at to tell whether a word begins in it. */
const beforeBlock = 256;

/** What a step may come to, in characters looked at: from a tenth of a millisecond to two, whatever they are. */
const stepCost = 30_000;

/** What it comes to, beside the characters, that a detector verifies a match. */
const verifyCost = 300;

/** So much of a long text a pattern without a longest match gets to see behind the beginning of one. */
const farthest = 8_192;

/** The same sign of a rule is noted once in so many characters of a long text. */
const signStride = 32;

/** More findings are in no text that people write: it is not read on. */
const maxFindings = 50_000;

/** Of a long text so much at either end is weighed. */
const endLength = 16_384;

/** Paths of a pattern without a longest match are followed for so many characters at a time. */
const openStride = 64;

/** More of the characters that a pattern begins with are left to the linear engine. */
const openStretch = 1_024;

/** So many characters of other readings are looked at: no encoding makes a text longer than it is. */
const readingsFor = (length: number): number => 65_536 + 2 * length;

/** So many characters a text may come to that is written as it looks: some characters stand for whole phrases. */
const mostFolded = (length: number): number => 4_096 + 4 * length;

/** How often a decoded text is decoded again. */
const maxDepth = 2;

/** A finding that goes on. */
type OpenFinding = Finding & { start: number; end: number };

/** One reading of the text: as it is, folded, or what a decoder made of a part. */
interface Reading {
  readonly view: View;
  readonly text: string;
  readonly exact: boolean;
  readonly depth: number;
  /** The place in the text that is scanned; undefined where they are the same. */
  readonly locate: Piece['locate'] | undefined;
}

/**
 * Scans whole texts. One automaton reads the text and notes where matches can begin; then each pattern
 * is tried at its places, from left to right and each place once. So each pattern finds what `matchAll`
 * would find, at the price of looking where it can be.
 *
 * On the way the units tell whether the text may also be read otherwise; each such reading is scanned
 * in the same way, and what is found there is reported at its place in the original.
 *
 * The tables are kept between scans, so a scan without a hit allocates nothing. Scans never interleave.
 */
export class TextScan {
  readonly #plan: CompiledPlan;
  readonly #scopes: PlanScopes;
  /** By pattern: the first place not yet tried. */
  readonly #frontier: Int32Array;
  /** By use of a pattern: matches found. */
  readonly #count: Uint32Array;
  /** By use of a pattern that has found too much: the findings that go on, one for each rule. */
  readonly #runs = new Map<number, readonly OpenFinding[]>();
  readonly #confirmations = new Confirmations();
  readonly #candidates: Candidates;
  readonly #paths = new Map<CompiledPattern, LivePaths>();
  /** Patterns whose row in the tables is not zero. */
  readonly #touched: ScopedPattern[] = [];
  #findings: Finding[] = [];
  /** Where in the reading at hand each of its findings stands, and the first of them. */
  readonly #places: number[] = [];
  #firstFinding = 0;
  #signals: SignalHit[] = [];
  /** By use of a pattern that is a signal: where it was found last. */
  readonly #lastSigns = new Map<number, { readonly reading: unknown; readonly at: number }>();
  #text = '';
  #reading: Reading | undefined;
  #context: ScanContext = { direction: 'request', protocol: 'llm' };
  #scope: PlanScope;
  #size = 0;
  #onlyReadings = false;
  /** What may be granted in all. */
  #most = 0;
  #granted = 0;
  #budget = 0;
  #readings = 0;
  /** What is left of the step at hand; endless where the scan goes on in one. */
  #step = Infinity;

  constructor(plan: CompiledPlan, scopes = new PlanScopes(plan)) {
    this.#plan = plan;
    this.#scopes = scopes;
    this.#scope = scopes.select(this.#context);
    this.#frontier = new Int32Array(plan.patterns.length);
    this.#count = new Uint32Array(plan.uses);
    this.#candidates = new Candidates(plan.automaton, plan.patterns.length, plan.coRequiredTexts);
  }

  /** Findings in `text` of the rules that apply in the context, in the order of their start. */
  scan(text: string, context: ScanContext): readonly Finding[] {
    return this.scanPiece(text, context, text.length, 0);
  }

  /**
   * What the text says otherwise or as a whole, for whoever knows what rules find in it as it stands: of that, only
   * what comes of it together with the rest.
   */
  scanReadings(text: string, context: ScanContext): readonly Finding[] {
    this.#onlyReadings = true;
    try {
      return this.scan(text, context);
    } finally {
      this.#onlyReadings = false;
    }
  }

  /** The same for a text that is part of a larger one of `size` characters, and `depth` decoders away from it. */
  scanPiece(text: string, context: ScanContext, size: number, depth: number): readonly Finding[] {
    if (this.#plan.isEmpty) return noFindings;
    try {
      this.#read(this.#open(text, context, size, depth));
      return finish(this.#takeFindings(text.length));
    } finally {
      this.#reset();
    }
  }

  /** `scan` in steps of a few milliseconds at most. Until it has come to its end nothing else can be scanned. */
  *scanCooperatively(text: string, context: ScanContext): Generator<undefined, readonly Finding[]> {
    if (this.#plan.isEmpty) return noFindings;
    try {
      yield* this.#readCooperatively(this.#open(text, context, text.length, 0));
      return yield* this.#takeFindings(text.length);
    } finally {
      this.#reset();
    }
  }

  /** `scanReadings` in such steps. */
  *scanReadingsCooperatively(text: string, context: ScanContext): Generator<undefined, readonly Finding[]> {
    this.#onlyReadings = true;
    try {
      return yield* this.scanCooperatively(text, context);
    } finally {
      this.#onlyReadings = false;
    }
  }

  /** Makes everything ready for a text; answers its first reading. */
  #open(text: string, context: ScanContext, size: number, depth: number): Reading {
    this.#context = context;
    this.#scope = this.#scopes.select(context);
    this.#size = size;
    this.#most = context.work?.left ?? workForBody;
    this.#granted = Math.min(this.#plan.budget.base, this.#most);
    this.#budget = this.#granted > 0 ? this.#granted : -1;
    this.#readings = readingsFor(text.length);
    return { view: 'plain', text, exact: true, depth, locate: undefined };
  }

  /** What the last scan took out of its budget: characters looked at, weighed. No clock is involved. */
  get verifiedCharacters(): number {
    return this.#granted - this.#budget;
  }

  /** What the last scan read besides the text itself, in characters. */
  get readCharacters(): number {
    return readingsFor(this.#size) - this.#readings;
  }

  /** @param isWeighed what weighs texts has seen it as a part of a longer one */
  #read(outer: Reading, isWeighed = false): void {
    if (outer.text.length > longestWhole) {
      finish(this.#readCooperatively(outer, isWeighed));
      return;
    }
    const held: Piece[] = [];
    const reading = this.#isLongEnough(outer) ? finish(this.#unpack(outer, held)) : outer;
    this.#begin(reading);
    const { text } = reading;
    this.#candidates.read(unitsOf(text), 0, text.length, this.#scope.candidates, true);
    const folded = this.#foldOnce(reading);
    const pieces: Piece[] = [];
    if (folded === undefined) {
      for (const decode of this.#decodersFor(reading)) this.#decode(text, decode, pieces);
      if (!isWeighed) for (const score of this.#scope.scores) this.#weigh(text, score);
    }
    const isOnly = reading.view === 'plain' && folded === undefined && pieces.length + held.length === 0;
    // Signs of the whole text are in none of its places.
    if (isOnly && this.#onlyReadings && this.#signals.length === 0) return;
    this.#tryAlone(isOnly);
    for (const pattern of this.#scope.unanchored) this.#findEverywhere(pattern, 0);
    this.#end();
    if (folded !== undefined) for (const inner of this.#foldedOf(reading, folded)) this.#read(inner);
    for (const piece of pieces) if (this.#budget >= 0) this.#read(this.#inPiece(reading, piece));
    for (const piece of held) if (this.#budget >= 0) this.#read(this.#inPiece(outer, piece));
  }

  /**
   * The same with breaks, for a long reading. As it is it is read as one; folded and decoded it is section by section,
   * and what weighs texts gets to see both ends.
   */
  *#readCooperatively(outer: Reading, isWeighed = false): Generator<undefined, void> {
    if (outer.text.length <= readAtOnce) {
      this.#step = Infinity;
      this.#read(outer, isWeighed);
      yield;
      return;
    }
    const held: Piece[] = [];
    const reading = this.#isLongEnough(outer) ? yield* this.#unpack(outer, held) : outer;
    this.#begin(reading);
    this.#step = stepCost;
    const marks: Marks[] = [];
    yield* this.#readBlocks(marks);
    if (!isWeighed) yield* this.#weighEnds(reading);
    if (!this.#onlyReadings || this.#signals.length > 0) yield* this.#findInBlocks();
    this.#end();
    yield;
    for (const [index, marked] of marks.entries()) {
      if (this.#budget < 0) return;
      yield* this.#readSection(reading, index, marked);
    }
    for (const piece of held) if (this.#budget >= 0) yield* this.#readCooperatively(this.#inPiece(outer, piece));
  }

  *#weighEnds(reading: Reading): Generator<undefined, void> {
    const { text } = reading;
    const ends = text.length > 2 * endLength ? `${text.slice(0, endLength)}\n${text.slice(-endLength)}` : text;
    const folded = this.#foldOnce({ ...reading, text: ends })?.text;
    for (const score of this.#scope.scores) {
      this.#weigh(text, score, folded ?? ends, folded === undefined ? 'plain' : 'folded');
      yield;
    }
  }

  /** What a section of a long reading says otherwise. */
  *#readSection(whole: Reading, index: number, marked: Marks): Generator<undefined, void> {
    this.#step = stepCost;
    const length = sectionOf(whole.text);
    const from = Math.max(0, index * length - sectionOverlap);
    const text = whole.text.slice(from, (index + 1) * length);
    const place: Piece = { view: whole.view, text, exact: true, locate: (start, end) => [start + from, end + from] };
    const section = this.#within(whole, place, whole.depth);
    const folded = this.#foldOnce(section);
    const pieces: Piece[] = [];
    if (folded === undefined) {
      const marks = { ...marked, firstMark: marked.firstMark - from, lastMark: marked.lastMark - from };
      for (const decode of this.#decodersFor(section)) {
        this.#decode(text, decode, pieces, marks);
        if (this.#endsStep(text.length)) yield;
      }
    }
    yield;
    // What is found in a reading of a section stands in the section.
    this.#reading = section;
    if (folded !== undefined) {
      for (const inner of this.#foldedOf(section, folded))
        yield* this.#readCooperatively(inner, inner.view === 'folded');
    }
    for (const piece of pieces) if (this.#budget >= 0) yield* this.#readCooperatively(this.#inPiece(section, piece));
  }

  /** Folded and decoded, long runs are those of the text that they come from. */
  #isLongEnough({ text, view, depth }: Reading): boolean {
    return text.length >= fewestInLongRun && view !== 'folded' && depth < maxDepth;
  }

  /** The reading without what is data in it; the texts that stand in the data are added to the pieces. */
  *#unpack(reading: Reading, pieces: Piece[]): Generator<undefined, Reading> {
    const unpacked = yield* unpackRuns(reading.text, (piece) => {
      if (!this.#pay(piece.text.length)) return false;
      pieces.push(piece);
      return true;
    });
    if (unpacked === undefined) return reading;
    return this.#within(reading, { ...unpacked, view: reading.view, exact: true }, reading.depth);
  }

  /** True when something that looked at so many characters was the last of a step. */
  #endsStep(cost: number): boolean {
    this.#step -= cost;
    if (this.#step > 0) return false;
    this.#step = stepCost;
    return true;
  }

  #foldOnce({ text, view }: Reading): Folded | undefined {
    if (view === 'folded' || ((signsOf(text) & textSign.folds) === 0 && !holdsControls(text))) return undefined;
    const folded = fold(text, mostFolded(text.length));
    if (folded !== 'too long') return folded;
    this.#giveUp();
    return undefined;
  }

  #decodersFor({ text, depth }: Reading): readonly Decoder[] {
    return depth < maxDepth ? decodersFor(text) : noDecoders;
  }

  #decode(text: string, decode: Decoder, pieces: Piece[], marks: Marks = this.#candidates): void {
    if (this.#budget < 0) return;
    decode(text, marks, (piece) => {
      if (!this.#pay(piece.text.length)) return false;
      pieces.push(piece);
      return true;
    });
  }

  /** What a text with look-alikes or invisible characters says, one after the other, for as long as the budget lasts. */
  *#foldedOf(reading: Reading, folded: Folded): Generator<Reading, void> {
    if (this.#budget < 0) return;
    const { text } = reading;
    for (const [start, end] of folded.hidden) this.#reportHidden(reading, start, end);
    const piece = { view: 'folded', text: folded.text, exact: true, locate: placesOf(folded, text) } as const;
    if (this.#pay(folded.text.length)) yield this.#within(reading, piece, reading.depth);
    for (const { text: message, start, end } of folded.smuggled) {
      if (this.#budget < 0 || !this.#pay(message.length)) return;
      yield this.#inPiece(reading, spanning('tags', message, start, end));
    }
  }

  #inPiece(reading: Reading, piece: Piece): Reading {
    // Digits are part of what encoders write: letters in their place decode to anything.
    return this.#within(reading, piece, piece.view === 'leet' ? maxDepth : reading.depth + 1);
  }

  #within(reading: Reading, { view, text, exact, locate }: Piece, depth: number): Reading {
    const outer = reading.locate;
    const inner: Piece['locate'] = outer === undefined ? locate : (start, end) => outer(...locate(start, end));
    return { view, text, depth, exact: exact && reading.exact, locate: inner };
  }

  /** False, and the scan over, when there is more to read than a text can have in it by chance. */
  #pay(length: number): boolean {
    if (length > this.#readings) this.#giveUp();
    else this.#readings -= length;
    return this.#budget >= 0;
  }

  /** The scan is over; what was granted and not used counts as not granted. */
  #giveUp(): void {
    if (this.#budget < 0) return;
    this.#granted -= this.#budget + 1;
    this.#budget = -1;
  }

  #begin(reading: Reading): void {
    // The first reading finds them as the last scan has left them.
    if (this.#reading !== undefined) this.#resetTables();
    this.#reading = reading;
    this.#text = reading.text;
    this.#firstFinding = this.#findings.length;
    if (this.#firstFinding > maxFindings) this.#giveUp();
    // Patterns that are tried everywhere are so at their author's expense, for one pass over the text.
    const wanted = (this.#plan.budget.perCharacter + this.#scope.unanchoredWeight) * reading.text.length;
    const granted = Math.min(wanted, this.#most - this.#granted);
    if (this.#budget < 0) return;
    this.#granted += granted;
    this.#budget += granted;
  }

  /** Brings what a reading has found into the order in which it stands there: of what comes to the same, the first counts. */
  #end(): void {
    if (this.#places.length < 2) return;
    const added = this.#findings
      .splice(this.#firstFinding)
      .map((finding, index) => ({ finding, at: this.#places[index] ?? 0 }));
    for (const { finding } of added.sort((a, b) => a.at - b.at)) this.#findings.push(finding);
  }

  /** Reads a long text and tries its patterns, and tells for each section of it what it says about other readings. */
  *#readBlocks(marks: Marks[]): Generator<undefined, void> {
    const text = this.#text;
    const { length } = text;
    const section = sectionOf(text);
    for (let from = 0; from < length && this.#budget >= 0; from += stepBlock) {
      const to = Math.min(from + stepBlock, length);
      const readTo = to === length ? Infinity : to;
      const base = Math.max(0, from - beforeBlock);
      if (from % section === 0) this.#candidates.forgetMarks();
      this.#candidates.read(unitsOf(text.slice(base, to)), from, to, this.#scope.candidates, false, base);
      const { marks: bits, firstMark, lastMark } = this.#candidates;
      marks[Math.floor(from / section)] = { marks: bits, firstMark, lastMark };
      this.#settlePlaces(readTo);
      if (this.#endsStep(stepBlock)) yield;
      const { touched, touchedCount } = this.#candidates;
      for (const index of touched.subarray(0, touchedCount)) while (this.#tryPlaces(index, readTo)) yield;
      if (to < length) this.#candidates.settle(to);
    }
  }

  /** Tries everywhere in a long text what no word leads to. */
  *#findInBlocks(): Generator<undefined, void> {
    const { length } = this.#text;
    for (const pattern of this.#scope.unanchored) {
      for (let from = 0; from < length;) {
        const end = Math.min(from + stepBlock, length);
        from = this.#findInBlock(pattern, from, end);
        if (this.#endsStep(stepBlock)) yield;
      }
      for (const { index } of pattern.uses) this.#count[index] = 0;
    }
  }

  /**
   * Reports the matches that start in `from` … `to` of a long text, and answers the place to go on at. A match of a
   * pattern without a longest one is found where it is no longer than `farthest`.
   */
  #findInBlock(pattern: ScopedPattern, from: number, to: number): number {
    const { compiled } = pattern;
    const { left, window, weight, bounded } = compiled.pattern;
    const matcher = bounded ? compiled.matcher : compiled.linear;
    const start = Math.max(0, from - left);
    const part = this.#text.slice(start, to + (bounded ? window : farthest));
    let place = from;
    let cost = to + 1 - from;
    while (place <= to && this.#spend(cost * weight) && matcher.find(part, place - start, part.length)) {
      if (matcher.start + start > to) break;
      cost = bounded ? window : start + part.length - matcher.end;
      place = this.#report(pattern, matcher, start);
    }
    return Math.max(place, to + 1);
  }

  /** Tries the patterns in a text that has been read to its end. */
  #tryAlone(isOnly: boolean): void {
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
    for (const { terms, signal } of this.#signals) reach.note(terms, signal);
    for (let at = 0; at < touchedCount; at += 1) {
      const index = touched[at] as number;
      if ((lists[index]?.length ?? 0) > 0) reach.notePattern(index);
    }
    for (let at = 0; at < touchedCount; at += 1) {
      const index = touched[at] as number;
      if ((lists[index]?.length ?? 0) === 0 || reach.isIdle(index)) continue;
      let known = this.#signals.length;
      this.#tryPlaces(index, Infinity);
      for (; known < this.#signals.length; known += 1) {
        const { terms, signal } = this.#signals[known] as SignalHit;
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
    for (; next < list.length && this.#budget >= 0 && !isOver; next += 1) {
      const to = list.to(next);
      if (to > horizon) break;
      const tried = this.#frontier[index] as number;
      if (to < tried) continue;
      if (tried === 0) this.#touched.push(pattern);
      const triedTo = this.#findFrom(pattern, Math.max(list.from(next), tried), to);
      this.#frontier[index] = triedTo;
      isOver = this.#endsStep(0);
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
    while (place <= to && this.#spend(analysed.window * analysed.weight)) {
      if (!matcher.find(this.#text, place, to)) break;
      place = this.#report(pattern, matcher, 0);
    }
    return Math.max(place, to + 1);
  }

  /** The places are all that a match can begin with before its text, so the lead is no longer than they are. */
  #findLed(pattern: ScopedPattern, { rest, weight }: OpenLead, from: number, to: number): number {
    const { native } = pattern.compiled;
    let place = from;
    while (place <= to && this.#spend((to - place + rest + 1) * weight)) {
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
    this.#spend(paths.visited - visited);
    const end = paths.isEmpty ? Math.min(text.length, paths.position + right) : text.length;
    if (!paths.isEmpty && longest < text.length) return this.#findFar(pattern, from, to);

    // Where the text ends before the paths do, some of them may be complete.
    if (!paths.hasEnded && paths.isEmpty) return to + 1;
    let place = from;
    while (place <= to && this.#spend((end - place) * weight)) {
      if (!compiled.matcher.find(text.slice(start, end), place - start, to - start)) break;
      place = this.#report(pattern, compiled.matcher, start);
    }
    return Math.max(place, to + 1);
  }

  #pathsOf(pattern: CompiledPattern): LivePaths {
    let paths = this.#paths.get(pattern);
    if (paths === undefined) this.#paths.set(pattern, (paths = new LivePaths(pattern.paths)));
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
    while (place < length && this.#spend(cost * weight) && matcher.find(this.#text, place, length)) {
      cost = bounded ? window : length - matcher.end;
      place = this.#report(pattern, matcher, 0);
    }
    for (const { index } of pattern.uses) this.#count[index] = 0;
    return done;
  }

  /** Adds the matcher's last find and answers where to go on. */
  #report({ compiled, uses }: ScopedPattern, matcher: Matcher, base: number): number {
    const end = matcher.end + base;
    const place = { text: this.#text, start: matcher.start + base, end, base: 0 };
    const known = compiled.judge(place, this.#confirmations);
    if (compiled.detector !== undefined) this.#step -= verifyCost;
    if (known === undefined) return end;
    let wanted = false;
    for (const use of uses) {
      const { terms, index } = use;
      const count = this.#count[index] as number;
      if (count >= terms.maxFindings) continue;
      const counts = terms.accept(place, known, this.#context, this.#size);
      if (counts) this.#add(use, place, known);
      if (counts) this.#count[index] = count + 1;
      wanted ||= count + (counts ? 1 : 0) < terms.maxFindings;
    }
    return wanted ? end : done;
  }

  /** Adds what a use says of a match in the reading at hand. */
  #add(
    use: PatternUse,
    place: MatchPlace,
    known: Known,
    change: FindingPlace = {},
    saysSameOf?: SignalHit['saysSameOf'],
  ): void {
    const reading = this.#reading;
    const [start, end] = reading?.locate?.(place.start, place.end) ?? [place.start, place.end];
    const mapped = (change.mapped ?? true) && (reading?.exact ?? true);
    const view = reading === undefined || reading.view === 'plain' ? (change.view ?? 'plain') : reading.view;
    const where = { ...change, start, end, mapped, view };
    const render = () => use.rules.map((rule) => rule.finding(place, known, where));
    const { signals } = use.terms;
    if (signals === undefined || use.signal === undefined) {
      const run = this.#runs.get(use.index);
      if (run !== undefined) {
        for (const finding of run) extend(finding, start, end);
        return;
      }
      const findings = render();
      if (this.#count[use.index] === maxPlaces) this.#runs.set(use.index, findings);
      for (const finding of findings) {
        this.#findings.push(finding);
        // What is said of the whole text stands behind what is said of a place in it.
        this.#places.push(change.mapped === false ? place.end : place.start);
      }
    } else {
      const isWhole = change.mapped === false;
      const { signal } = use;
      const isLong = place.text.length > longText;
      const at = place.start;
      if (!isWhole && this.#isBeside(use, at)) return;
      this.#signals.push({
        terms: signals,
        signal,
        start,
        end,
        mapped,
        reading,
        at,
        isLong,
        isWhole,
        saysSameOf,
        render,
      });
    }
  }

  /** In a long text, the same sign right behind itself says nothing that the one before does not say. */
  #isBeside({ index }: PatternUse, at: number): boolean {
    if (this.#size <= block) return false;
    const last = this.#lastSigns.get(index);
    if (last !== undefined && last.reading === this.#reading && at >= last.at && at - last.at < signStride) return true;
    this.#lastSigns.set(index, { reading: this.#reading, at });
    return false;
  }

  /**
   * Asks a detector that judges a text as a whole: what that says may be a sign beside others.
   * @param weighed the text as it is judged: its ends, folded
   */
  #weigh(text: string, { detector, uses, least }: ScopedScore, weighed = text, view: View = 'plain'): void {
    if (this.#budget < 0 || text.length === 0) return;
    const confidence = detector.score(weighed, least);
    // Of such a text only the ends were judged: what it says in between is asked where other signs stand.
    const isPartly = text.length > mostWeighed;
    if (confidence < least && !isPartly) return;
    const known = { type: detector.type, confidence };
    const place = { text: weighed, start: 0, end: text.length, base: 0 };
    for (const use of uses) {
      const { minConfidence, condition, signals } = use.terms;
      if (confidence < minConfidence && (signals === undefined || !isPartly)) continue;
      if (condition?.holds(this.#context, text.length) === false) continue;
      const saysSameOf = (from: number, to: number): boolean => {
        const part = text.slice(from, to);
        const written = view === 'folded' ? (fold(part)?.text ?? part) : part;
        return this.#spend(to - from) && detector.score(written, minConfidence) >= minConfidence;
      };
      this.#add(use, place, known, { mapped: false, view }, text.length > longText ? saysSameOf : undefined);
    }
  }

  #reportHidden({ text }: Reading, start: number, end: number): void {
    const evidence = `${end - start} invisible characters`;
    for (const { detector, uses } of this.#scope.hidden) {
      for (const use of uses) {
        if (use.terms.condition?.holds(this.#context, this.#size) === false) continue;
        const known = { type: detector.type, confidence: 0.9 };
        this.#add(use, { text, start, end, base: 0 }, known, { view: 'tags', evidence });
      }
    }
  }

  /** False when the budget was gone before; it may be overdrawn once, by what one look costs. */
  #spend(cost: number): boolean {
    if (this.#budget < 0) return false;
    this.#budget -= cost;
    this.#step -= cost;
    return true;
  }

  *#takeFindings(length: number): Generator<undefined, readonly Finding[]> {
    if (this.#signals.length > 0) this.#findings.push(...(yield* tallySignals(this.#signals)));
    if (this.#budget < 0) this.#findings.push(budgetExceeded(0, length));
    if (this.#findings.length === 0) return noFindings;
    const findings = this.#findings.some(({ view }) => view !== 'plain')
      ? yield* distinct(this.#findings)
      : this.#findings;
    return findings.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Leaves the tables as the next reading wants to find them. */
  #resetTables(): void {
    for (const { compiled, uses } of this.#touched) {
      this.#frontier[compiled.index] = 0;
      for (const { index } of uses) this.#count[index] = 0;
    }
    if (this.#runs.size > 0) this.#runs.clear();
    if (this.#touched.length > 0) this.#touched.length = 0;
    if (this.#places.length > 0) this.#places.length = 0;
    this.#candidates.clear();
  }

  /** Leaves everything as a scan wants to find it, also after one that failed. */
  #reset(): void {
    const { work } = this.#context;
    if (work !== undefined) work.left -= this.verifiedCharacters;
    this.#resetTables();
    this.#confirmations.clear();
    if (this.#findings.length > 0) this.#findings = [];
    if (this.#signals.length > 0) this.#signals = [];
    if (this.#lastSigns.size > 0) this.#lastSigns.clear();
    this.#step = Infinity;
    this.#text = '';
    this.#reading = undefined;
  }
}

function extend(finding: OpenFinding, start: number, end: number): void {
  finding.start = Math.min(finding.start, start);
  finding.end = Math.max(finding.end, end);
}

/** So many findings are compared in a step. */
const compared = 2_048;

/** What several readings have found alike is one finding, the first. */
function* distinct(findings: readonly Finding[]): Generator<undefined, Finding[]> {
  const known = new Set<string>();
  const first: Finding[] = [];
  for (const [index, finding] of findings.entries()) {
    if (index % compared === compared - 1) yield;
    const { policyName, ruleId, start, end } = finding;
    const key = `${start} ${end} ${ruleId} ${policyName}`;
    if (known.has(key)) continue;
    known.add(key);
    first.push(finding);
  }
  return first;
}

import { mostWeighed } from '../detectors/linear-classifier/clean-text.ts';
import { Candidates } from './candidates.ts';
import { signsOf, textSign, unitsOf } from '../views/text-units.ts';
import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { PlanScopes, type PlanScope, type ScopedScore } from '../scope/plan-scope.ts';
import type { Finding, ScanContext, View } from '../policy.ts';
import { decodersFor, type Decoder, type Marks } from '../views/decode-views.ts';
import { fold, placesOf, type Folded } from '../views/fold.ts';
import { fewestInLongRun, unpackRuns } from '../views/long-runs.ts';
import { spanning, type Piece } from '../views/piece.ts';
import { longestWhole, sectionOf } from './blocks.ts';
import { FindingLog, noFindings } from './finding-log.ts';
import { PatternTrials } from './pattern-trials.ts';
import { maxDepth, readingOf, readingWithin, type Reading } from './reading.ts';
import { ScanWork } from './scan-work.ts';
import { longText } from './signal-tally.ts';
import { finish } from '../../collections/finish-steps.ts';

const noDecoders: readonly Decoder[] = [];

/** What a part folds or decodes to is read in one step up to this length: a few of its characters may cost much. */
const readAtOnce = 1_024;

/** Each section of a long text begins so much before the end of the one before: longer secrets are cut. */
const sectionOverlap = 4_096;

/** Of a long text so much at either end is weighed. */
const endLength = 16_384;

/** So many characters a text may come to that is written as it looks: some characters stand for whole phrases. */
const mostFolded = (length: number): number => 4_096 + 4 * length;

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
  readonly #candidates: Candidates;
  readonly #work = new ScanWork();
  readonly #log: FindingLog;
  readonly #trials: PatternTrials;
  #context: ScanContext = { direction: 'request', protocol: 'llm' };
  #scope: PlanScope;
  #size = 0;
  #onlyReadings = false;

  constructor(plan: CompiledPlan, scopes = new PlanScopes(plan)) {
    this.#plan = plan;
    this.#scopes = scopes;
    this.#scope = scopes.select(this.#context);
    this.#candidates = new Candidates(plan.automaton, plan.patterns.length, plan.coRequiredTexts);
    this.#log = new FindingLog(plan.uses);
    const parts = { candidates: this.#candidates, patterns: plan.patterns.length, work: this.#work, log: this.#log };
    this.#trials = new PatternTrials(parts, this.#scope, this.#context);
  }

  /** Findings in `text` of the rules that apply in the context, in the order of their start. */
  scan(text: string, context: ScanContext): readonly Finding[] {
    return this.scanPiece(text, context, text.length, 0);
  }

  /**
   * What the text says otherwise or as a whole, for callers that know what rules find in it as it stands: of that, only
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
      return finish(this.#log.takeFindings(text.length, this.#work.isOver));
    } finally {
      this.#reset();
    }
  }

  /** `scan` in steps of a few milliseconds at most. Until it has come to its end nothing else can be scanned. */
  *scanCooperatively(text: string, context: ScanContext): Generator<undefined, readonly Finding[]> {
    if (this.#plan.isEmpty) return noFindings;
    try {
      yield* this.#readCooperatively(this.#open(text, context, text.length, 0));
      return yield* this.#log.takeFindings(text.length, this.#work.isOver);
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
    this.#log.open(size);
    this.#trials.open(this.#scope, context, size);
    this.#work.open(text.length, this.#plan.budget.base, context.work?.left);
    return { view: 'plain', text, exact: true, depth, locate: undefined };
  }

  /** What the last scan took out of its budget: characters looked at, weighed. No clock is involved. */
  get verifiedCharacters(): number {
    return this.#work.spent;
  }

  /** What the last scan read besides the text itself, in characters. */
  get readCharacters(): number {
    return this.#work.read;
  }

  /** @param isWeighed what weighs texts has seen it as a part of a longer one */
  #read(outer: Reading, isWeighed = false): void {
    if (outer.text.length > longestWhole) {
      finish(this.#readCooperatively(outer, isWeighed));
      return;
    }
    const held: Piece[] = [];
    const mayHoldRun = this.#isLongEnough(outer) && (signsOf(outer.text) & textSign.longWord) !== 0;
    const reading = mayHoldRun ? finish(this.#unpack(outer, held)) : outer;
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
    if (isOnly && this.#onlyReadings && this.#log.signals.length === 0) return;
    this.#trials.tryAlone(isOnly);
    this.#trials.tryUnanchored();
    this.#log.endReading();
    if (folded !== undefined) for (const inner of this.#foldedOf(reading, folded)) this.#read(inner);
    for (const piece of pieces) if (!this.#work.isOver) this.#read(readingOf(reading, piece), piece.isPart);
    for (const piece of held) if (!this.#work.isOver) this.#read(readingOf(outer, piece));
  }

  /**
   * The same with breaks, for a long reading. As it is it is read as one; folded and decoded it is section by section,
   * and what weighs texts gets to see both ends.
   */
  *#readCooperatively(outer: Reading, isWeighed = false): Generator<undefined, void> {
    if (outer.text.length <= readAtOnce) {
      this.#work.endSteps();
      this.#read(outer, isWeighed);
      yield;
      return;
    }
    const held: Piece[] = [];
    const reading = this.#isLongEnough(outer) ? yield* this.#unpack(outer, held) : outer;
    this.#begin(reading);
    this.#work.beginStep();
    const marks: Marks[] = [];
    yield* this.#trials.readBlocks(marks);
    if (!isWeighed) yield* this.#weighEnds(reading);
    if (!this.#onlyReadings || this.#log.signals.length > 0) yield* this.#trials.findInBlocks();
    this.#log.endReading();
    yield;
    for (const [index, marked] of marks.entries()) {
      if (this.#work.isOver) return;
      yield* this.#readSection(reading, index, marked);
    }
    for (const piece of held) if (!this.#work.isOver) yield* this.#readCooperatively(readingOf(outer, piece));
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
    this.#work.beginStep();
    const length = sectionOf(whole.text);
    const from = Math.max(0, index * length - sectionOverlap);
    const text = whole.text.slice(from, (index + 1) * length);
    const place: Piece = { view: whole.view, text, exact: true, locate: (start, end) => [start + from, end + from] };
    const section = readingWithin(whole, place, whole.depth);
    const folded = this.#foldOnce(section);
    const pieces: Piece[] = [];
    if (folded === undefined) {
      const marks = { ...marked, firstMark: marked.firstMark - from, lastMark: marked.lastMark - from };
      for (const decode of this.#decodersFor(section)) {
        this.#decode(text, decode, pieces, marks);
        if (this.#work.endsStep(text.length)) yield;
      }
    }
    yield;
    // What is found in a reading of a section stands in the section.
    this.#log.standIn(section);
    if (folded !== undefined) {
      for (const inner of this.#foldedOf(section, folded))
        yield* this.#readCooperatively(inner, inner.view === 'folded');
    }
    for (const piece of pieces) {
      if (!this.#work.isOver) yield* this.#readCooperatively(readingOf(section, piece), piece.isPart);
    }
  }

  /** Folded and decoded, long runs are those of the text that they come from. */
  #isLongEnough({ text, view, depth }: Reading): boolean {
    return text.length >= fewestInLongRun && view !== 'folded' && depth < maxDepth;
  }

  /** The reading without what is data in it; the texts that stand in the data are added to the pieces. */
  *#unpack(reading: Reading, pieces: Piece[]): Generator<undefined, Reading> {
    const unpacked = yield* unpackRuns(reading.text, (piece) => {
      if (!this.#work.pay(piece.text.length)) return false;
      pieces.push(piece);
      return true;
    });
    if (unpacked === undefined) return reading;
    return readingWithin(reading, { ...unpacked, view: reading.view, exact: true }, reading.depth);
  }

  #foldOnce({ text, view }: Reading): Folded | undefined {
    if (view === 'folded' || (signsOf(text) & textSign.folds) === 0) return undefined;
    const folded = fold(text, mostFolded(text.length));
    if (folded !== 'too long') return folded;
    this.#work.giveUp();
    return undefined;
  }

  #decodersFor({ text, depth }: Reading): readonly Decoder[] {
    return depth < maxDepth ? decodersFor(text) : noDecoders;
  }

  #decode(text: string, decode: Decoder, pieces: Piece[], marks: Marks = this.#candidates): void {
    if (this.#work.isOver) return;
    decode(text, marks, (piece) => {
      if (!this.#work.pay(piece.text.length)) return false;
      pieces.push(piece);
      return true;
    });
  }

  /** What a text with look-alikes or invisible characters says, one after the other, for as long as the budget lasts. */
  *#foldedOf(reading: Reading, folded: Folded): Generator<Reading, void> {
    if (this.#work.isOver) return;
    const { text } = reading;
    for (const [start, end] of folded.hidden) this.#reportHidden(reading, start, end);
    const piece = { view: 'folded', text: folded.text, exact: true, locate: placesOf(folded, text) } as const;
    if (this.#work.pay(folded.text.length)) yield readingWithin(reading, piece, reading.depth);
    for (const { text: message, start, end } of folded.smuggled) {
      if (this.#work.isOver || !this.#work.pay(message.length)) return;
      yield readingOf(reading, spanning('tags', message, start, end));
    }
  }

  #begin(reading: Reading): void {
    // The first reading finds them as the last scan has left them.
    if (this.#log.reading !== undefined) this.#resetTables();
    this.#trials.begin(reading.text);
    if (!this.#log.begin(reading)) this.#work.giveUp();
    // Patterns that are tried everywhere are so at their author's expense, for one pass over the text.
    this.#work.grant((this.#plan.budget.perCharacter + this.#scope.unanchoredWeight) * reading.text.length);
  }

  /**
   * Asks a detector that judges a text as a whole: what that says may be a sign beside others.
   * @param weighed the text as it is judged: its ends, folded
   */
  #weigh(text: string, { detector, uses, least }: ScopedScore, weighed = text, view: View = 'plain'): void {
    if (this.#work.isOver || text.length === 0) return;
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
        return this.#work.spend(to - from) && detector.score(written, minConfidence) >= minConfidence;
      };
      this.#log.add(use, place, known, { mapped: false, view }, text.length > longText ? saysSameOf : undefined);
    }
  }

  #reportHidden({ text }: Reading, start: number, end: number): void {
    const evidence = `${end - start} invisible characters`;
    for (const { detector, uses } of this.#scope.hidden) {
      for (const use of uses) {
        if (use.terms.condition?.holds(this.#context, this.#size) === false) continue;
        const known = { type: detector.type, confidence: 0.9 };
        this.#log.add(use, { text, start, end, base: 0 }, known, { view: 'tags', evidence });
      }
    }
  }

  /** Leaves the tables as the next reading wants to find them. */
  #resetTables(): void {
    this.#trials.resetReading();
    this.#log.resetReading();
  }

  /** Leaves everything as a scan wants to find it, also after one that failed. */
  #reset(): void {
    const { work } = this.#context;
    if (work !== undefined) work.left -= this.verifiedCharacters;
    this.#trials.reset();
    this.#log.reset();
    this.#work.endSteps();
  }
}

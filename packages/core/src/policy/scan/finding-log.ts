import type { FindingPlace } from '../plan/compiled-rule.ts';
import { budgetExceeded } from '../plan/compiled-plan.ts';
import type { PatternUse } from '../plan/compiled-pattern.ts';
import type { Known, MatchPlace } from '../plan/match-terms.ts';
import type { Finding } from '../policy.ts';
import { block } from './blocks.ts';
import type { Reading } from './reading.ts';
import { longText, tallySignals, type SignalHit } from './signal-tally.ts';

export const noFindings: readonly Finding[] = Object.freeze([]);

/**
 * A rule that wants every place hidden has so many findings in one reading; the last one goes on to the end of all that
 * it would find behind it, so that all of it is hidden.
 */
const maxPlaces = 2_000;

/** The same sign of a rule is noted once in so many characters of a long text, and in a quarter of the rule's window. */
const signStride = 64;
/** Stands before every place of a text, farther than a stride. */
const nowhere = -signStride;

/** More findings are in no text that people write: it is not read on. */
const maxFindings = 50_000;

/** A finding that goes on. */
type OpenFinding = Finding & { start: number; end: number };

/** What a scan has found so far, and the signs that may come together. */
export class FindingLog {
  /** By use of a pattern: matches found. */
  readonly counts: Uint32Array;
  /** By use of a pattern that has found too much: the findings that go on, one for each rule. */
  readonly #runs = new Map<number, readonly OpenFinding[]>();
  #findings: Finding[] = [];
  /** Where in the reading at hand each of its findings stands, and the first of them. */
  readonly #places: number[] = [];
  #firstFinding = 0;
  #signals: SignalHit[] = [];
  /** By use of a pattern that is a signal: where in the reading at hand it was found last. */
  readonly #lastSigns: Int32Array;
  #hasSigns = false;
  #reading: Reading | undefined;
  #size = 0;

  constructor(uses: number) {
    this.counts = new Uint32Array(uses);
    this.#lastSigns = new Int32Array(uses).fill(nowhere);
  }

  get signals(): readonly SignalHit[] {
    return this.#signals;
  }

  /** In which matches are found; undefined until the first one of a scan begins. */
  get reading(): Reading | undefined {
    return this.#reading;
  }

  /** @param size of the text that is scanned as a whole */
  open(size: number): void {
    this.#size = size;
  }

  /** @returns false when there are more findings than a text can have */
  begin(reading: Reading): boolean {
    this.standIn(reading);
    this.#firstFinding = this.#findings.length;
    return this.#firstFinding <= maxFindings;
  }

  /** What is found from now on stands in this reading: places of another one are near none of its own. */
  standIn(reading: Reading): void {
    this.#reading = reading;
    if (!this.#hasSigns) return;
    this.#lastSigns.fill(nowhere);
    this.#hasSigns = false;
  }

  /** Brings what a reading has found into the order in which it stands there: of what comes to the same, the first counts. */
  endReading(): void {
    if (this.#places.length < 2) return;
    const added = this.#findings
      .splice(this.#firstFinding)
      .map((finding, index) => ({ finding, at: this.#places[index] ?? 0 }));
    for (const { finding } of added.sort((a, b) => a.at - b.at)) this.#findings.push(finding);
  }

  /** Adds what a use says of a match in the reading at hand. */
  add(
    use: PatternUse,
    place: MatchPlace,
    known: Known,
    change: FindingPlace = {},
    saysSameOf?: SignalHit['saysSameOf'],
  ): void {
    const { signal } = use;
    const { signals } = use.terms;
    if (signal === undefined || signals === undefined) {
      this.#addFindings(use, place, known, change);
      return;
    }
    // Most signs of a long text end here, before anything is made for them.
    if (change.mapped !== false && this.#isBeside(use.index, place.start, signals.window)) return;
    this.#addSign(use, { terms: signals, signal, saysSameOf }, place, known, change);
  }

  #addFindings(use: PatternUse, place: MatchPlace, known: Known, change: FindingPlace): void {
    const where = this.#whereOf(place, change);
    const run = this.#runs.get(use.index);
    if (run !== undefined) {
      for (const finding of run) extend(finding, where.start, where.end);
      return;
    }
    const findings = use.rules.map((rule) => rule.finding(place, known, where));
    if (this.counts[use.index] === maxPlaces) this.#runs.set(use.index, findings);
    // What is said of the whole text stands behind what is said of a place in it.
    const at = change.mapped === false ? place.end : place.start;
    for (const finding of findings) {
      this.#findings.push(finding);
      this.#places.push(at);
    }
  }

  #addSign(
    { rules }: PatternUse,
    sign: Pick<SignalHit, 'terms' | 'signal' | 'saysSameOf'>,
    place: MatchPlace,
    known: Known,
    change: FindingPlace,
  ): void {
    const where = this.#whereOf(place, change);
    this.#signals.push({
      terms: sign.terms,
      signal: sign.signal,
      start: where.start,
      end: where.end,
      mapped: where.mapped,
      reading: this.#reading,
      at: place.start,
      isLong: place.text.length > longText,
      isWhole: change.mapped === false,
      saysSameOf: sign.saysSameOf,
      render: () => rules.map((rule) => rule.finding(place, known, where)),
    });
  }

  #whereOf(place: MatchPlace, change: FindingPlace) {
    const reading = this.#reading;
    const [start, end] = reading?.locate?.(place.start, place.end) ?? [place.start, place.end];
    const mapped = (change.mapped ?? true) && (reading?.exact ?? true);
    const view = reading === undefined || reading.view === 'plain' ? (change.view ?? 'plain') : reading.view;
    return { ...change, start, end, mapped, view };
  }

  /** In a long text, the same sign right behind itself says nothing that the one before does not say. */
  #isBeside(use: number, at: number, window: number): boolean {
    if (this.#size <= block) return false;
    const last = this.#lastSigns[use] ?? nowhere;
    if (at >= last && at - last < Math.min(signStride, window / 4)) return true;
    this.#lastSigns[use] = at;
    this.#hasSigns = true;
    return false;
  }

  /** All of them, in the order of their start. @param isOver the budget was gone before the text was read */
  *takeFindings(length: number, isOver: boolean): Generator<undefined, readonly Finding[]> {
    if (this.#signals.length > 0) this.#findings.push(...(yield* tallySignals(this.#signals)));
    if (isOver) this.#findings.push(budgetExceeded(0, length));
    if (this.#findings.length === 0) return noFindings;
    const findings = this.#findings.some(({ view }) => view !== 'plain')
      ? yield* distinct(this.#findings)
      : this.#findings;
    return findings.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Leaves the tables as the next reading wants to find them. */
  resetReading(): void {
    if (this.#runs.size > 0) this.#runs.clear();
    if (this.#places.length > 0) this.#places.length = 0;
  }

  reset(): void {
    this.resetReading();
    if (this.#findings.length > 0) this.#findings = [];
    if (this.#signals.length > 0) this.#signals = [];
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

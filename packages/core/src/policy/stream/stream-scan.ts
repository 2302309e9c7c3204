import { rootState, rowBits } from '../finder/aho-corasick.ts';
import type { PatternUse } from '../plan/compiled-pattern.ts';
import { budgetExceeded, type CompiledPlan } from '../plan/compiled-plan.ts';
import { TrailingLeads, type HoldBack } from './hold-back.ts';
import { Confirmations } from '../plan/confirmations.ts';
import { enforcedAction } from '../verdict/decide.ts';
import { markExcepted } from '../scan/mark-excepted.ts';
import type { Known, MatchPlace } from '../plan/match-terms.ts';
import type { PlanScope } from '../scope/plan-scope.ts';
import type { ScopedPattern } from '../scope/scoped-pattern.ts';
import type { Finding, ScanContext, StreamScan, StreamStep } from '../policy.ts';
import { SignalTally } from '../scan/signal-tally.ts';
import { OpenMatches } from './open-matches.ts';

/**
 * How much of a stream a pattern without a longest match can see, and hold back, at once. Its
 * matches up to this length are found; a longer one may pass.
 */
export const streamWindow = 1_024;

/** Of a long piece so much is read in a step. */
const stepLength = 1_024;

/** Tail that is dropped at once: dropping it with every piece would copy the rest each time. */
const tailSlack = 512;

/** What streams of one scope share. */
export interface StreamTables {
  readonly scope: PlanScope;
  /** By the automaton's states with outputs: where their patterns start in `tried`. */
  readonly triedFrom: Int32Array;
  /** The patterns to watch where the automaton is in a state with outputs. */
  readonly tried: readonly ScopedPattern[];
  /** Hold-back of the patterns whose matches must not be released. */
  readonly enforced: HoldBack;
  /** The same for all patterns: what they may still need to see. */
  readonly all: HoldBack;
  /** How far before a match any pattern looks. */
  readonly left: number;
}

/** Where a scan stands: the offset of the text that it keeps, and before which nothing matters any more. */
export interface StreamPosition {
  readonly base: number;
  readonly needed: number;
  /** By pattern: where its last match ended. */
  readonly floors: ReadonlyMap<ScopedPattern, number>;
}

const noFindings: readonly Finding[] = Object.freeze([]);

/**
 * Scans a text that arrives in pieces. The automaton goes on where it stopped; where a literal ends,
 * its patterns watch the places where a match may begin, by following all paths of the pattern from
 * there. A place whose paths have all come to an end is settled: the engine is asked once, and the
 * text flows on. So prose waits for a few characters at most, and each character is followed once.
 *
 * Only text that a pattern may still need is kept.
 */
export class PolicyStream implements StreamScan {
  readonly #plan: CompiledPlan;
  readonly #tables: StreamTables;
  readonly #context: ScanContext;
  readonly #floors: StreamPosition['floors'] | undefined;
  readonly #enforcedLeads: TrailingLeads;
  readonly #allLeads: TrailingLeads;
  readonly #confirmations = new Confirmations();
  #tally: SignalTally | undefined;
  /** By use of a pattern: matches found. */
  readonly #count = new Map<number, number>();
  /** By pattern, made when its first literal arrives. */
  readonly #watches = new Map<ScopedPattern, OpenMatches>();
  /** The watches with undecided places. */
  #active: OpenMatches[] = [];
  /** The end of the stream, and where it starts in the stream. */
  #tail = '';
  #base = 0;
  #length = 0;
  #state = rootState;
  #budget: number;
  #safe = 0;
  /** Nothing before this matters to any pattern. */
  #needed = 0;
  /** Start of the first match that must not be released. */
  #blocked = Infinity;
  #findings: Finding[] = [];
  #hasEnded = false;

  /** A scan that takes over from another one goes on at `resume`, as if it had read what came before. */
  constructor(plan: CompiledPlan, tables: StreamTables, context: ScanContext, resume?: StreamPosition) {
    this.#base = this.#length = resume?.base ?? 0;
    this.#needed = this.#safe = resume?.needed ?? 0;
    this.#floors = resume?.floors;
    this.#context = context;
    this.#plan = plan;
    this.#tables = tables;
    this.#enforcedLeads = new TrailingLeads(tables.enforced);
    this.#allLeads = new TrailingLeads(tables.all);
    this.#budget = plan.budget.base;
    for (const pattern of tables.scope.everywhere) {
      const watch = new OpenMatches(pattern, resume?.floors.get(pattern));
      watch.add(this.#needed, Infinity);
      this.#active.push(watch);
    }
  }

  /** The text that patterns may still need. */
  get kept(): string {
    return this.#tail;
  }

  get position(): StreamPosition {
    const floors = new Map([...this.#watches.values(), ...this.#active].map((watch) => [watch.pattern, watch.floor]));
    return { base: this.#base, needed: this.#needed, floors };
  }

  /** All text given so far. It is more than what has been read while a piece is read in steps. */
  get #given(): number {
    return this.#base + this.#tail.length;
  }

  push(text: string): StreamStep {
    this.#keep(text);
    this.#read(text);
    return { safeOffset: this.#safe, findings: this.#takeFindings() };
  }

  /** Patterns that are asked in an early step see all of the piece, as they do when it is read at once. */
  *pushCooperatively(text: string): Generator<undefined, StreamStep> {
    this.#keep(text);
    for (let at = 0; at < text.length; at += stepLength) {
      this.#read(text.slice(at, at + stepLength));
      yield;
    }
    return { safeOffset: this.#safe, findings: this.#takeFindings() };
  }

  #keep(text: string): void {
    if (this.#budget < 0) return;
    this.#tail += text;
    // Patterns that watch every place do so at their author's expense, not at the budget's.
    this.#budget += (this.#plan.budget.perCharacter + 4 * this.#tables.scope.everywhere.length) * text.length;
  }

  #read(text: string): void {
    const start = this.#length;
    this.#length += text.length;
    if (this.#budget < 0) return;
    this.#readLiterals(text, start);
    if (this.#active.length > 0) this.#lookAtAll();
    this.#release(text);
  }

  end(): StreamStep {
    this.#hasEnded = true;
    for (const watch of this.#active) this.#decide(watch, this.#length + 1);
    this.#active = [];
    this.#safe = Math.max(this.#safe, Math.min(this.#length, this.#blocked));
    return { safeOffset: this.#safe, findings: this.#takeFindings() };
  }

  #readLiterals(text: string, start: number): void {
    const { next, columns, firstOutput } = this.#plan.automaton;
    let state = this.#state;
    for (let at = 0; at < text.length; at += 1) {
      state = next[(state << rowBits) + (columns[text.charCodeAt(at)] as number)] as number;
      if (state >= firstOutput) this.#watchPatterns(state, start + at + 1);
    }
    this.#state = state;
  }

  /** Makes the patterns that have a literal ending at `end` watch where a match with it can begin. */
  #watchPatterns(state: number, end: number): void {
    const { automaton } = this.#plan;
    const { tried, triedFrom } = this.#tables;
    const row = state - automaton.firstOutput;
    const last = triedFrom[row + 1] as number;
    for (let at = triedFrom[row] as number; at < last; at += 1) {
      const pattern = tried[at] as ScopedPattern;
      const { minReach, maxReach } = pattern.compiled;
      if (maxReach !== Infinity) this.#watchPlaces(pattern, end - maxReach, end - minReach);
    }
  }

  #watchPlaces(pattern: ScopedPattern, from: number, to: number): void {
    let watch = this.#watches.get(pattern);
    if (watch === undefined) this.#watches.set(pattern, (watch = new OpenMatches(pattern, this.#floors?.get(pattern))));
    // What was released or dropped cannot begin a match: it was held for as long as it could.
    const ruledOut = pattern.enforced ? Math.max(this.#safe, this.#needed) : this.#needed;
    const wasIdle = watch.from === undefined;
    watch.add(Math.max(from, ruledOut), to);
    if (wasIdle && watch.from !== undefined) this.#active.push(watch);
  }

  #lookAtAll(): void {
    for (const watch of this.#active) this.#look(watch);
    if (this.#active.some(({ from }) => from === undefined)) {
      this.#active = this.#active.filter(({ from }) => from !== undefined);
    }
  }

  /** Settles as many places as what has arrived allows. */
  #look(watch: OpenMatches): void {
    const { bounded, maxLength, right } = watch.pattern.compiled.pattern;
    const known = this.#length - right;
    const visited = watch.visited;
    // Before a piece is read to its end, a match may still end in it, however long it is.
    const window = this.#length === this.#given ? streamWindow : Infinity;
    const settled = watch.follow(this.#tail, this.#base, known, bounded ? maxLength : window);
    if (!this.#spend(watch.visited - visited)) return;
    if (!watch.mayMatch || this.#decide(watch, settled)) watch.settle(settled);
  }

  /**
   * Asks the engine about all undecided places before `settled`. False when the text behind a match
   * has to arrive first.
   */
  #decide(watch: OpenMatches, settled: number): boolean {
    const { matcher, after } = watch.pattern.compiled;
    for (let from = watch.from; from !== undefined && from < settled; from = watch.from) {
      const { window, weight } = watch.pattern.compiled.pattern;
      if (!this.#spend(Math.min(window, this.#length - from + 1) * weight)) return true;
      const to = Math.min(watch.to, settled - 1);
      if (!matcher.find(this.#tail, from - this.#base, to - this.#base)) {
        watch.settle(to + 1);
      } else if (matcher.end + after > this.#tail.length && !this.#hasEnded) {
        watch.settle(matcher.start + this.#base);
        return false;
      } else {
        this.#report(watch);
      }
    }
    return true;
  }

  #report(watch: OpenMatches): void {
    const { compiled, uses } = watch.pattern;
    const { matcher } = compiled;
    const place = { text: this.#tail, start: matcher.start, end: matcher.end, base: this.#base };
    const known = compiled.judge(place, this.#confirmations);
    let wanted = known === undefined;
    for (const use of known === undefined ? [] : uses) {
      const { index, terms } = use;
      const count = this.#count.get(index) ?? 0;
      if (count >= terms.maxFindings) continue;
      const counts = known !== undefined && terms.accept(place, known, this.#context, this.#given);
      // What is excepted does not count: the exception may end while the stream goes on.
      const enforced = counts && this.#found(use, place, known);
      if (enforced) this.#count.set(index, count + 1);
      wanted ||= count + (enforced ? 1 : 0) < terms.maxFindings;
    }
    watch.found(place.end + this.#base, wanted);
  }

  /** False when all that was found is excepted. */
  #found({ terms, signal, rules }: PatternUse, place: MatchPlace, known: Known): boolean {
    const render = (): Finding[] => rules.map((rule) => rule.finding(place, known));
    const { signals } = terms;
    if (signals === undefined || signal === undefined) {
      return this.#add(render());
    }
    const [start, end] = [place.start + place.base, place.end + place.base];
    const where = { start, end, mapped: true, reading: undefined, at: start, isLong: false, isWhole: false };
    this.#tally ??= new SignalTally();
    const isEnforced = this.#add(this.#tally.add({ ...where, terms: signals, signal, render }));
    if (!isEnforced) this.#tally.forget(signals);
    return isEnforced;
  }

  #add(found: readonly Finding[]): boolean {
    const findings = markExcepted(found, this.#context);
    for (const finding of findings) {
      this.#findings.push(finding);
      if (enforcedAction(finding) === 'block') this.#blocked = Math.min(this.#blocked, finding.start);
    }
    return findings.length === 0 || findings.some(({ exceptedBy }) => exceptedBy === undefined);
  }

  /** Pays for a look. When the budget is gone the stream is blocked where it stands. */
  #spend(cost: number): boolean {
    if (this.#budget < 0) return false;
    this.#budget -= cost;
    if (this.#budget >= 0) return true;
    // For good: what was not looked at cannot be looked at later.
    this.#budget = -Infinity;
    this.#findings.push(budgetExceeded(this.#safe, this.#length));
    this.#blocked = Math.min(this.#blocked, this.#safe);
    this.#active = [];
    return false;
  }

  /** Works out how much is safe and drops what is not needed any more. */
  #release(text: string): void {
    const { enforced, all } = this.#tables;
    let safe = Math.min(this.#blocked, this.#length - this.#held(enforced, this.#enforcedLeads, text));
    let needed = this.#length - this.#held(all, this.#allLeads, text);
    for (const watch of this.#active) {
      const from = watch.from ?? this.#length;
      needed = Math.min(needed, from);
      if (watch.pattern.enforced) safe = Math.min(safe, from);
    }
    this.#safe = Math.max(this.#safe, safe);
    this.#needed = Math.max(this.#needed, needed);
    const unneeded = this.#needed - this.#tables.left - this.#base;
    if (unneeded < tailSlack) return;
    this.#tail = this.#tail.slice(unneeded);
    this.#base += unneeded;
  }

  #held({ ofState }: HoldBack, leads: TrailingLeads, text: string): number {
    return Math.max(ofState[this.#state] ?? 0, leads.push(text));
  }

  #takeFindings(): readonly Finding[] {
    if (this.#findings.length === 0) return noFindings;
    const findings = this.#findings;
    this.#findings = [];
    return findings;
  }
}

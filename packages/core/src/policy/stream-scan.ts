import { rootState } from './aho-corasick.ts';
import { budgetExceeded, type CompiledPattern, type CompiledPlan } from './compiled-plan.ts';
import { trailingLead, type HoldBack } from './hold-back.ts';
import type { Matcher } from './pattern/matcher.ts';
import type { Finding, StreamScan, StreamStep } from './policy.ts';
import { createWatch, type Watch } from './watch.ts';

/**
 * How much of a stream a pattern without a longest match can see, and hold back, at once. Its
 * matches up to this length are found; a longer one may pass.
 */
export const streamWindow = 1_024;

/** Tail that is dropped at once: dropping it with every piece would copy the rest each time. */
const tailSlack = 512;

/** What streams of one context share. */
export interface StreamTables {
  /** Bit of the context. */
  readonly context: number;
  /** Hold-back of the patterns whose matches must not be released. */
  readonly enforced: HoldBack;
  /** The same for all patterns: what they may still need to see. */
  readonly all: HoldBack;
  /** How far before a match any pattern looks. */
  readonly left: number;
  /** Patterns that watch every place of the stream. */
  readonly unanchored: readonly CompiledPattern[];
}

const noFindings: readonly Finding[] = Object.freeze([]);

/**
 * Scans a text that arrives in pieces. The automaton goes on where it stopped; where a literal ends,
 * its patterns watch the places where a match may begin. The partial form of a pattern tells whether
 * a match at a place is certain, impossible, or depends on what comes; only the last holds text back,
 * so prose flows with a few characters' delay at most.
 *
 * A place that stays undecided is looked at again when the text behind it has grown by half, which
 * keeps the price of a long wait linear. Only text that a pattern may still need is kept.
 */
export class PolicyStream implements StreamScan {
  readonly #plan: CompiledPlan;
  readonly #tables: StreamTables;
  /** By pattern, made when its first literal arrives. */
  readonly #watches = new Map<CompiledPattern, Watch>();
  /** The watches with undecided places. */
  #active: Watch[] = [];
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

  constructor(plan: CompiledPlan, tables: StreamTables) {
    this.#plan = plan;
    this.#tables = tables;
    this.#budget = plan.budget.base;
    for (const pattern of tables.unanchored) {
      const watch = createWatch(pattern);
      watch.places.push({ from: 0, to: Infinity });
      this.#active.push(watch);
    }
  }

  push(text: string): StreamStep {
    const start = this.#length;
    this.#tail += text;
    this.#length += text.length;
    // Patterns that watch every place do so at their author's expense, not at the budget's.
    this.#budget += (this.#plan.budget.perCharacter + 4 * this.#tables.unanchored.length) * text.length;
    this.#readLiterals(text, start);
    if (this.#active.length > 0) this.#lookAtAll();
    this.#release();
    return { safeOffset: this.#safe, findings: this.#takeFindings() };
  }

  end(): StreamStep {
    for (const watch of this.#active) this.#decide(watch);
    this.#active = [];
    this.#safe = Math.max(this.#safe, Math.min(this.#length, this.#blocked));
    return { safeOffset: this.#safe, findings: this.#takeFindings() };
  }

  #readLiterals(text: string, start: number): void {
    const { classes, next, firstOutput } = this.#plan.automaton;
    let state = this.#state;
    for (let at = 0; at < text.length; at += 1) {
      state = next[state + (classes[text.charCodeAt(at)] as number)] as number;
      if (state >= firstOutput) this.#watchPatterns(state, start + at + 1);
    }
    this.#state = state;
  }

  /** Makes the patterns that have a literal ending at `end` watch where a match with it can begin. */
  #watchPatterns(state: number, end: number): void {
    const { automaton, patternsOfText } = this.#plan;
    const row = (state - automaton.firstOutput) / automaton.columns;
    const last = automaton.outputOffsets[row + 1] ?? 0;
    for (let at = automaton.outputOffsets[row] ?? 0; at < last; at += 1) {
      for (const pattern of patternsOfText[automaton.outputs[at] ?? 0] ?? []) {
        const applies = (pattern.contexts & this.#tables.context) !== 0 && pattern.maxReach !== Infinity;
        if (applies && this.#budget >= 0) this.#watchPlaces(pattern, end - pattern.maxReach, end - pattern.minReach);
      }
    }
  }

  #watchPlaces(pattern: CompiledPattern, from: number, to: number): void {
    let watch = this.#watches.get(pattern);
    if (watch === undefined) this.#watches.set(pattern, (watch = createWatch(pattern)));
    // What was released or dropped cannot begin a match: it was held for as long as it could.
    const ruledOut = pattern.enforced ? Math.max(this.#safe, this.#needed) : this.#needed;
    const wasIdle = watch.places.length === 0;
    if (watch.add(Math.max(from, ruledOut), to) && wasIdle) this.#active.push(watch);
  }

  #lookAtAll(): void {
    for (const watch of this.#active) if (this.#length >= watch.nextLook) this.#look(watch);
    if (this.#active.some(({ places }) => places.length === 0)) {
      this.#active = this.#active.filter(({ places }) => places.length > 0);
    }
  }

  /** Decides as many places as what has arrived allows, from left to right. */
  #look(watch: Watch): void {
    const matcher = watch.pattern.partial;
    let place = watch.firstPlace();
    while (place !== undefined && this.#spend(watch, place.from)) {
      const found = matcher.find(this.#tail, place.from - this.#base, Math.min(place.to, this.#length) - this.#base);
      if (!found) {
        watch.dismiss(this.#length);
        // What is left to watch begins behind everything that has arrived.
        if (place.to === Infinity) return;
      } else if (matcher.end < this.#tail.length) {
        this.#report(watch, matcher);
      } else if (this.#mustWait(watch, matcher.start + this.#base)) {
        return;
      }
      place = watch.firstPlace();
    }
  }

  /** A match at `start` depends on what comes. False when the pattern has waited for as long as it may. */
  #mustWait(watch: Watch, start: number): boolean {
    const waited = this.#length - start;
    if (!watch.pattern.pattern.bounded && waited > streamWindow) {
      watch.skipTo(this.#length - streamWindow);
      return false;
    }
    watch.skipTo(start);
    watch.nextLook = this.#length + Math.max(1, waited >> 1);
    return true;
  }

  /** The stream is over: the pattern itself decides what is left. */
  #decide(watch: Watch): void {
    const matcher = watch.pattern.exact;
    let place = watch.firstPlace();
    while (place !== undefined && this.#spend(watch, place.from)) {
      const to = Math.min(place.to, this.#length);
      if (matcher.find(this.#tail, place.from - this.#base, to - this.#base)) this.#report(watch, matcher);
      else watch.places.shift();
      place = watch.firstPlace();
    }
  }

  #report(watch: Watch, matcher: Matcher): void {
    const finding = watch.pattern.finding(this.#tail, matcher.start, matcher.end, this.#base);
    this.#findings.push(finding);
    if (finding.action === 'block') this.#blocked = Math.min(this.#blocked, finding.start);
    watch.found(finding.end);
  }

  /** Pays for one look. When the budget is gone the stream is blocked where it stands. */
  #spend(watch: Watch, from: number): boolean {
    if (this.#budget < 0) return false;
    const { window, weight } = watch.pattern.pattern;
    this.#budget -= Math.min(window, this.#length - from + 1) * weight;
    if (this.#budget >= 0) return true;
    this.#findings.push(budgetExceeded(this.#safe, this.#length));
    this.#blocked = Math.min(this.#blocked, this.#safe);
    this.#active = [];
    return false;
  }

  /** Works out how much is safe and drops what nobody needs any more. */
  #release(): void {
    const { enforced, all } = this.#tables;
    let safe = Math.min(this.#blocked, this.#length - this.#held(enforced));
    let needed = this.#length - this.#held(all);
    for (const { pattern, places } of this.#active) {
      const from = places[0]?.from ?? this.#length;
      needed = Math.min(needed, from);
      if (pattern.enforced) safe = Math.min(safe, from);
    }
    this.#safe = Math.max(this.#safe, safe);
    this.#needed = Math.max(this.#needed, needed);
    const unneeded = this.#needed - this.#tables.left - this.#base;
    if (unneeded < tailSlack) return;
    this.#tail = this.#tail.slice(unneeded);
    this.#base += unneeded;
  }

  #held({ ofState, leads }: HoldBack): number {
    let held = ofState[this.#state / this.#plan.automaton.columns] ?? 0;
    for (const lead of leads) held = Math.max(held, trailingLead(this.#tail, lead));
    return held;
  }

  #takeFindings(): readonly Finding[] {
    if (this.#findings.length === 0) return noFindings;
    const findings = this.#findings;
    this.#findings = [];
    return findings;
  }
}

import { rootState } from './aho-corasick.ts';
import { budgetExceeded, scoreFinding, type CompiledPattern, type CompiledPlan } from './compiled-plan.ts';
import { contextBit, type CompiledRule } from './compiled-rule.ts';
import type { TextDetector } from './detectors/detector.ts';
import { nativeWindow } from './pattern/analyse-pattern.ts';
import { LivePaths } from './pattern/live-paths.ts';
import type { Matcher } from './pattern/matcher.ts';
import type { Finding, ScanContext } from './policy.ts';
import { SignalTally, type SignalHit } from './signal-tally.ts';

const noFindings: readonly Finding[] = Object.freeze([]);

/** A frontier behind every text: the pattern has nothing more to find. */
const done = 0x7fff_ffff;

/** Paths of a pattern without a longest match are followed for so many characters at a time. */
const openStride = 64;

/**
 * Scans whole texts. One automaton reads the text once; where a literal ends, its patterns are tried
 * at the places where a match with that literal can begin, from left to right and each place once.
 * So each pattern finds what `matchAll` would find, at the price of looking where it can be.
 *
 * The tables are kept between scans, so a scan without a hit allocates nothing. Scans never interleave.
 */
export class TextScan {
  readonly #plan: CompiledPlan;
  /** By pattern: the first place not yet tried. */
  readonly #frontier: Int32Array;
  /** By pattern: matches found. */
  readonly #count: Uint32Array;
  readonly #paths = new Map<CompiledPattern, LivePaths>();
  /** Patterns whose row in the tables is not zero. */
  readonly #touched: CompiledPattern[] = [];
  #findings: Finding[] = [];
  #signals: SignalHit[] = [];
  #text = '';
  #context: ScanContext = { direction: 'request', protocol: 'llm' };
  #granted = 0;
  #budget = 0;

  constructor(plan: CompiledPlan) {
    this.#plan = plan;
    this.#frontier = new Int32Array(plan.patterns.length);
    this.#count = new Uint32Array(plan.patterns.length);
  }

  /** Findings in `text` of the rules that apply in the context, in the order of their start. */
  scan(text: string, scanContext: ScanContext): readonly Finding[] {
    this.#text = text;
    this.#context = scanContext;
    const context = contextBit(scanContext);
    this.#granted = this.#plan.budget.base + this.#plan.budget.perCharacter * text.length;
    this.#budget = this.#granted;
    try {
      this.#readLiterals(context);
      for (const pattern of this.#plan.unanchored) {
        if ((pattern.rule.contexts & context) !== 0) this.#findEverywhere(pattern, 0);
      }
      this.#weigh(context);
      return this.#takeFindings();
    } finally {
      this.#reset();
    }
  }

  /** What the last scan took out of its budget: characters looked at, weighed. No clock is involved. */
  get verifiedCharacters(): number {
    return this.#granted - this.#budget;
  }

  #readLiterals(context: number): void {
    const { classes, next, firstOutput } = this.#plan.automaton;
    const text = this.#text;
    let state = rootState;
    for (let at = 0; at < text.length; at += 1) {
      state = next[state + (classes[text.charCodeAt(at)] as number)] as number;
      if (state < firstOutput) continue;
      this.#tryPatterns(state, at + 1, context);
      if (this.#budget < 0) return;
    }
  }

  /** Tries the patterns that have a literal ending at `end`. */
  #tryPatterns(state: number, end: number, context: number): void {
    const { automaton, patternsOfText } = this.#plan;
    const row = (state - automaton.firstOutput) / automaton.columns;
    const last = automaton.outputOffsets[row + 1] ?? 0;
    for (let at = automaton.outputOffsets[row] ?? 0; at < last; at += 1) {
      for (const pattern of patternsOfText[automaton.outputs[at] ?? 0] ?? []) {
        if ((pattern.rule.contexts & context) !== 0) this.#tryPattern(pattern, end);
      }
    }
  }

  #tryPattern(pattern: CompiledPattern, end: number): void {
    const tried = this.#frontier[pattern.index] ?? 0;
    const from = Math.max(tried, end - pattern.maxReach);
    const to = end - pattern.minReach;
    if (from > to) return;
    if (tried === 0) this.#touched.push(pattern);
    this.#frontier[pattern.index] = this.#findFrom(pattern, from, to);
  }

  /** Reports the matches that start in `from` … `to` and answers the place to go on at. */
  #findFrom(pattern: CompiledPattern, from: number, to: number): number {
    const { bounded, engine } = pattern.pattern;
    if (bounded) return this.#findBounded(pattern, from, to);
    if (engine === 'native' && pattern.maxReach !== Infinity) return this.#findOpen(pattern, from, to);
    return this.#findEverywhere(pattern, from);
  }

  #findBounded(pattern: CompiledPattern, from: number, to: number): number {
    let place = from;
    while (place <= to && this.#spend(pattern.pattern.window * pattern.pattern.weight)) {
      if (!pattern.matcher.find(this.#text, place, to)) break;
      place = this.#report(pattern, pattern.matcher, 0);
    }
    return Math.max(place, to + 1);
  }

  /**
   * A pattern without a longest match, natively, in a window that holds all that any of its paths can
   * take. Paths that go on for longer than a window are left to the linear engine, from there to the end.
   */
  #findOpen(pattern: CompiledPattern, from: number, to: number): number {
    const text = this.#text;
    const { left, right } = pattern.pattern;
    const start = Math.max(0, from - left);
    const longest = Math.min(text.length, to + nativeWindow);
    const paths = this.#pathsOf(pattern);
    const { visited } = paths;
    paths.restart(from);
    const places = [{ from, to }];
    for (let end = to + openStride; !paths.isEmpty || paths.position <= to; end += openStride) {
      paths.read(text, 0, Math.min(end, longest), places);
      if (paths.position === longest) break;
    }
    this.#spend(paths.visited - visited);
    const end = paths.isEmpty ? Math.min(text.length, paths.position + right) : text.length;
    if (!paths.isEmpty && longest < text.length) return this.#findEverywhere(pattern, from);

    // Where the text ends before the paths do, some of them may be complete.
    if (!paths.hasEnded && paths.isEmpty) return to + 1;
    let place = from;
    while (place <= to && this.#spend((end - place) * pattern.pattern.weight)) {
      if (!pattern.matcher.find(text.slice(start, end), place - start, to - start)) break;
      place = this.#report(pattern, pattern.matcher, start);
    }
    return Math.max(place, to + 1);
  }

  #pathsOf(pattern: CompiledPattern): LivePaths {
    let paths = this.#paths.get(pattern);
    if (paths === undefined) this.#paths.set(pattern, (paths = new LivePaths(pattern.paths)));
    return paths;
  }

  /**
   * Reports all matches from `from` to the end of the text. The first pass over the text is linear
   * and known when the policy is written, so it is not charged; what further matches cost is.
   */
  #findEverywhere(pattern: CompiledPattern, from: number): number {
    const { bounded, window, weight } = pattern.pattern;
    const matcher = bounded ? pattern.matcher : pattern.linear;
    let place = from;
    while (place < this.#text.length && this.#budget >= 0 && matcher.find(this.#text, place, this.#text.length)) {
      this.#spend((bounded ? matcher.end - place + window : this.#text.length - place) * weight);
      place = this.#report(pattern, matcher, 0);
    }
    this.#count[pattern.index] = 0;
    return done;
  }

  /** Adds the matcher's last find and answers where to go on. */
  #report(pattern: CompiledPattern, matcher: Matcher, base: number): number {
    const end = matcher.end + base;
    const place = { text: this.#text, start: matcher.start + base, end, base: 0 };
    const finding = pattern.verify(place, 'plain', this.#context, this.#text.length);
    if (finding === undefined) return end;
    this.#add(finding, pattern);
    const count = (this.#count[pattern.index] ?? 0) + 1;
    this.#count[pattern.index] = count;
    return count < pattern.rule.maxFindings ? end : done;
  }

  #add(finding: Finding, { rule, signal }: { readonly rule: CompiledRule; readonly signal: number | undefined }): void {
    if (signal === undefined) this.#findings.push(finding);
    else this.#signals.push({ rule, signal, finding });
  }

  /** Asks the detectors that judge a text as a whole, each once. */
  #weigh(context: number): void {
    const scores = new Map<TextDetector, number>();
    for (const part of this.#plan.scores) {
      if ((part.rule.contexts & context) === 0) continue;
      let score = scores.get(part.detector);
      if (score === undefined) scores.set(part.detector, (score = part.detector.score(this.#text)));
      const finding = scoreFinding(part, score, this.#text, this.#context);
      if (finding !== undefined) this.#add(finding, part);
    }
  }

  #countSignals(): void {
    const tally = new SignalTally();
    for (const hit of this.#signals.sort((a, b) => a.finding.start - b.finding.start)) {
      const finding = tally.add(hit);
      if (finding !== undefined) this.#findings.push(finding);
    }
    this.#signals = [];
  }

  /** False when the budget was gone before; it may be overdrawn once, by what one look costs. */
  #spend(cost: number): boolean {
    if (this.#budget < 0) return false;
    this.#budget -= cost;
    return true;
  }

  #takeFindings(): readonly Finding[] {
    if (this.#signals.length > 0) this.#countSignals();
    if (this.#budget < 0) this.#findings.push(budgetExceeded(0, this.#text.length));
    if (this.#findings.length === 0) return noFindings;
    return this.#findings.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Leaves the tables as a scan wants to find them, also after one that failed. */
  #reset(): void {
    for (const pattern of this.#touched) {
      this.#frontier[pattern.index] = 0;
      this.#count[pattern.index] = 0;
    }
    this.#touched.length = 0;
    if (this.#findings.length > 0) this.#findings = [];
    if (this.#signals.length > 0) this.#signals = [];
    this.#text = '';
  }
}

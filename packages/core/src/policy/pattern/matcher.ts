import { RE2JS } from 're2js';
import type { AnalysedPattern } from './analyse-pattern.ts';
import { contains, wordChars } from './char-set.ts';
import { renderLinear } from './linear-source.ts';

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

/** A matcher on the engine whose time is linear in the text, whatever the pattern. */
export const createLinearMatcher = (pattern: AnalysedPattern): Matcher => new LinearMatcher(pattern);

/** Ranges up to this wide are tried place by place, which needs no window cut out of the text. */
const narrow = 64;

/** By unit: 1 for what `\w` matches. */
const isWord = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => (contains(wordChars, unit) ? 1 : 0));

class NativeMatcher implements Matcher {
  start = 0;
  end = 0;
  readonly #sticky: RegExp;
  readonly #source: string;
  readonly #flags: string;
  #global: RegExp | undefined;
  /** By unit below 128: 1 when a match can begin with it. */
  readonly #firstAscii = new Uint8Array(128);
  readonly #startsWord: boolean;

  constructor(pattern: AnalysedPattern) {
    this.#source = pattern.source;
    this.#flags = pattern.flags;
    this.#sticky = new RegExp(pattern.source, `${pattern.flags}y`);
    this.#startsWord = pattern.startsWord;
    for (let unit = 0; unit < 128; unit += 1) this.#firstAscii[unit] = contains(pattern.first, unit) ? 1 : 0;
  }

  find(text: string, from: number, to: number): boolean {
    if (to >= text.length && to - from > narrow) return this.#search(text, from);
    const sticky = this.#sticky;
    const last = Math.min(to, text.length - 1);
    for (let at = from; at <= last; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 128 && this.#firstAscii[unit] === 0) continue;
      // Cheaper than the engine, and most literals are found in the middle of longer words.
      if (this.#startsWord && at > 0 && isWord[text.charCodeAt(at - 1)] === 1) continue;
      sticky.lastIndex = at;
      if (!sticky.test(text)) continue;
      this.start = at;
      this.end = sticky.lastIndex;
      return true;
    }
    return false;
  }

  #search(text: string, from: number): boolean {
    this.#global ??= new RegExp(this.#source, `${this.#flags}g`);
    this.#global.lastIndex = from;
    const match = this.#global.exec(text);
    if (match === null) return false;
    this.start = match.index;
    this.end = this.#global.lastIndex;
    return this.start < text.length;
  }
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

import type { SignalTerms } from '../plan/match-terms.ts';
import type { ScopedPattern } from './scoped-pattern.ts';

/** Weights are added up in different orders. */
const rounding = 1e-9;

/**
 * Which rules of signals may come to a match, judged by the signals that may be found: where too few of them can,
 * they need not be looked for. That spares most texts most of what there is to try.
 */
export class ReachableSignals {
  readonly #terms: SignalTerms[] = [];
  /** By terms: the number of their first signal among all. */
  readonly #firstOf = new Map<SignalTerms, number>();
  /** By signal: its terms. */
  readonly #termsOf: number[] = [];
  /** By signal: what it weighs. */
  readonly #weightOf: number[] = [];
  /** By pattern: its signals; undefined where it is more than a sign. */
  readonly #signalsOf: (readonly number[] | undefined)[] = [];
  /** By signal: whether it counts, whether it was found, and how many patterns that may find it have not been tried. */
  readonly #present: Uint8Array;
  readonly #found: Uint8Array;
  readonly #untried: Uint16Array;
  readonly #sums: Float64Array;
  /** All four in one, to be cleared at once. */
  readonly #all: Uint8Array;

  constructor(scoped: readonly (ScopedPattern | undefined)[], others: readonly SignalTerms[]) {
    for (const terms of others) this.#add(terms);
    for (const pattern of scoped) this.#signalsOf.push(pattern && this.#numbersOf(pattern));
    const [terms, signals] = [this.#terms.length, this.#termsOf.length];
    this.#all = new Uint8Array(8 * terms + 4 * signals);
    const { buffer } = this.#all;
    this.#sums = new Float64Array(buffer, 0, terms);
    this.#untried = new Uint16Array(buffer, 8 * terms, signals);
    this.#present = new Uint8Array(buffer, 8 * terms + 2 * signals, signals);
    this.#found = new Uint8Array(buffer, 8 * terms + 3 * signals, signals);
  }

  #numbersOf({ uses }: ScopedPattern): readonly number[] | undefined {
    const numbers = uses.flatMap(({ terms: { signals }, signal }) =>
      signals === undefined || signal === undefined ? [] : [this.#add(signals) + signal],
    );
    return numbers.length < uses.length ? undefined : numbers;
  }

  #add(terms: SignalTerms): number {
    let first = this.#firstOf.get(terms);
    if (first !== undefined) return first;
    first = this.#termsOf.length;
    this.#firstOf.set(terms, first);
    for (const index of terms.names.keys()) {
      this.#termsOf.push(this.#terms.length);
      this.#weightOf.push(terms.weights[index] ?? 0);
    }
    this.#terms.push(terms);
    return first;
  }

  /** Forgets what is known of the last text. */
  clear(): void {
    this.#all.fill(0);
  }

  /** A signal has been found. */
  note(terms: SignalTerms, signal: number): void {
    const number = (this.#firstOf.get(terms) ?? 0) + signal;
    this.#found[number] = 1;
    this.#count(number);
  }

  /** The pattern may be found. */
  notePattern(index: number): void {
    for (const number of this.#signalsOf[index] ?? []) {
      this.#untried[number] = (this.#untried[number] as number) + 1;
      this.#count(number);
    }
  }

  /** The pattern has been tried: signals that it was the last to find, and has not found, count no more. */
  passPattern(index: number): void {
    for (const number of this.#signalsOf[index] ?? []) {
      const untried = (this.#untried[number] as number) - 1;
      this.#untried[number] = untried;
      if (untried > 0 || this.#found[number] === 1) continue;
      this.#present[number] = 0;
      const place = this.#termsOf[number] as number;
      this.#sums[place] = (this.#sums[place] as number) - (this.#weightOf[number] as number);
    }
  }

  /** The pattern is nothing but signals of rules that cannot come to a match. */
  isIdle(index: number): boolean {
    const numbers = this.#signalsOf[index];
    if (numbers === undefined) return false;
    for (const number of numbers) {
      const place = this.#termsOf[number] as number;
      const { threshold } = this.#terms[place] as SignalTerms;
      if ((this.#sums[place] as number) + rounding >= threshold) return false;
    }
    return true;
  }

  #count(number: number): void {
    if (this.#present[number] === 1) return;
    this.#present[number] = 1;
    const place = this.#termsOf[number] as number;
    this.#sums[place] = (this.#sums[place] as number) + (this.#weightOf[number] as number);
  }
}

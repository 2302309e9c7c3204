import type { SignalTerms } from '../plan/match-terms.ts';
import type { Finding } from '../policy.ts';

/** A signal that was found, before it is known whether it comes to anything. */
export interface SignalHit {
  readonly terms: SignalTerms;
  /** Place in the list of signals. */
  readonly signal: number;
  readonly start: number;
  readonly end: number;
  readonly mapped: boolean;
  /** The reading that it stands in, the same object for all hits of a reading, and its offset there. */
  readonly reading: unknown;
  readonly at: number;
  /** It speaks of the text as a whole, and so is near everything in it. */
  readonly isWhole: boolean;
  /** What is said of this place, by each rule with these signals. */
  render(): readonly Finding[];
}

/**
 * How far apart two hits stand. Within a reading it is the reading that counts: encodings make a text
 * several times as long, and of some it is only known what surrounds them.
 */
function distance(one: SignalHit, other: SignalHit): number {
  if (one.isWhole || other.isWhole) return 0;
  return one.reading === other.reading ? Math.abs(one.at - other.at) : Math.abs(one.start - other.start);
}

const isNear = (other: SignalHit, hit: SignalHit): boolean => distance(other, hit) <= hit.terms.window;

/** What the latest signals near a hit weigh together. */
function weightAround(hit: SignalHit, latest: readonly (SignalHit | undefined)[]): number {
  let sum = 0;
  for (let signal = 0; signal < latest.length; signal += 1) {
    const other = latest[signal];
    if (other !== undefined && isNear(other, hit)) sum += hit.terms.weights[signal] ?? 0;
  }
  return sum;
}

/**
 * Adds up signals: they come to a match, once in a text, when the weights of distinct ones within
 * their window reach the threshold. Of each signal the latest place counts, so a hit costs no
 * more than there are signals, and nothing is kept that the window has left behind.
 */
export class SignalTally {
  readonly #latest = new Map<SignalTerms, (SignalHit | undefined)[]>();
  readonly #matched = new Set<SignalTerms>();

  /** The findings that this hit completes. Hits come in the order of their start, or nearly so. */
  add(hit: SignalHit): readonly Finding[] {
    const { terms, signal } = hit;
    if (this.#matched.has(terms)) return [];
    let latest = this.#latest.get(terms);
    if (latest === undefined) this.#latest.set(terms, (latest = terms.names.map(() => undefined)));
    latest[signal] = hit;
    if (weightAround(hit, latest) < terms.threshold) return [];
    const near = latest.map((other) => (other !== undefined && isNear(other, hit) ? other : undefined));
    this.#matched.add(terms);
    return hit.render().map((finding) => spread(finding, near, terms));
  }
}

/** The finding about the place of the last signal, as one about all that came together. */
function spread(finding: Finding, near: readonly (SignalHit | undefined)[], { names }: SignalTerms): Finding {
  const hits = near.flatMap((hit) => hit ?? []);
  return {
    ...finding,
    start: Math.min(...hits.map(({ start }) => start)),
    end: Math.max(...hits.map(({ end }) => end)),
    mapped: hits.every(({ mapped }) => mapped),
    signals: names.filter((_name, index) => near[index] !== undefined),
  };
}

/**
 * The findings that signals of a whole text come to. Those of which there are too few different ones
 * anywhere are not looked at closely.
 */
export function tallySignals(hits: readonly SignalHit[]): Finding[] {
  const reaching = termsReached(hits);
  if (reaching.length === 0) return [];
  const tally = new SignalTally();
  return hits
    .filter(({ terms }) => reaching.includes(terms))
    .toSorted((a, b) => a.start - b.start || a.at - b.at || a.signal - b.signal)
    .flatMap((hit) => tally.add(hit));
}

/** Those whose distinct signals come to the threshold anywhere in the text. There are but a few of them. */
function termsReached(hits: readonly SignalHit[]): readonly SignalTerms[] {
  const met: SignalTerms[] = [];
  const sums: number[] = [];
  const found: boolean[][] = [];
  for (const { terms, signal } of hits) {
    let at = met.indexOf(terms);
    if (at < 0) {
      at = met.push(terms) - 1;
      sums.push(0);
      found.push([]);
    }
    const signals = found[at] as boolean[];
    if (signals[signal] === true) continue;
    signals[signal] = true;
    sums[at] = (sums[at] as number) + (terms.weights[signal] ?? 0);
  }
  return met.filter((terms, at) => (sums[at] as number) >= terms.threshold);
}

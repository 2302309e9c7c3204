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
  /** The reading is longer than `longText`. */
  readonly isLong: boolean;
  /**
   * It speaks of the text as a whole, and so is near everything in it. Of a long text it has to be asked whether it says
   * the same of what stands around a place: a long text has something in it for every sign.
   */
  readonly isWhole: boolean;
  /** Asks that of a stretch of the reading; undefined where the text is short. */
  readonly saysSameOf?: ((from: number, to: number) => boolean) | undefined;
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

/**
 * A longer text has a place for every sign, so more of them come together by chance: rules may ask for more, and a sign
 * that speaks of all of the text has to stand where the others do.
 */
export const longText = 2_000;

/** So much around the signs themselves is what they stand in: a paragraph, most of it. */
const margin = 250;

/** What the signals near one place come to. */
interface Neighbourhood {
  readonly near: (SignalHit | undefined)[];
  weight: number;
}

/**
 * Adds up signals: they come to a match, once in a text, when the weights of distinct ones within
 * their window reach the threshold. Of each signal the latest place counts, so a hit costs no
 * more than there are signals, and nothing is kept that the window has left behind.
 */
export class SignalTally {
  readonly #latest = new Map<SignalTerms, (SignalHit | undefined)[]>();
  readonly #matched = new Set<SignalTerms>();
  /** By a sign of a whole text: up to which place it is known not to say the same of what stands there. */
  readonly #deniedTo = new Map<SignalHit, number>();

  /** The findings that this hit completes. Hits come in the order of their start, or nearly so. */
  add(hit: SignalHit): readonly Finding[] {
    const { terms, signal } = hit;
    if (this.#matched.has(terms)) return [];
    let latest = this.#latest.get(terms);
    if (latest === undefined) this.#latest.set(terms, (latest = terms.names.map(() => undefined)));
    latest[signal] = hit;
    const around = gather(hit, latest);
    const threshold = hit.isLong ? terms.longThreshold : terms.threshold;
    if (around.weight < threshold) return [];
    this.#dropDenied(around, terms);
    if (around.weight < threshold) return [];
    this.#matched.add(terms);
    return hit.render().map((finding) => spread(finding, around.near, terms));
  }

  /** The rules may match again, when their signals come again: what they matched was not enforced. */
  forget(terms: SignalTerms): void {
    this.#matched.delete(terms);
    this.#latest.delete(terms);
  }

  /** Takes out what speaks of the whole text and does not say the same of this place in it. */
  #dropDenied(around: Neighbourhood, { weights }: SignalTerms): void {
    for (const [signal, whole] of around.near.entries()) {
      if (whole?.saysSameOf === undefined || this.#confirms(whole, whole.saysSameOf, around.near)) continue;
      around.near[signal] = undefined;
      around.weight -= weights[signal] ?? 0;
    }
  }

  #confirms(whole: SignalHit, saysSameOf: NonNullable<SignalHit['saysSameOf']>, near: Neighbourhood['near']): boolean {
    const places = near.flatMap((hit) =>
      hit === undefined || hit.isWhole ? [] : hit.reading === whole.reading ? hit.at : hit.start,
    );
    const last = Math.max(...places);
    // What was asked a moment ago is not asked again: otherwise a flood of signs would have all of a text judged for each.
    if (places.length === 0 || last < (this.#deniedTo.get(whole) ?? -Infinity)) return false;
    const [from, to] = [Math.max(0, Math.min(...places) - margin), last + margin];
    if (saysSameOf(from, to)) return true;
    this.#deniedTo.set(whole, last + (to - from) / 4);
    return false;
  }
}

function gather(hit: SignalHit, latest: readonly (SignalHit | undefined)[]): Neighbourhood {
  const near = latest.map((other) => (other !== undefined && isNear(other, hit) ? other : undefined));
  const weight = near.reduce(
    (sum, other, signal) => sum + (other === undefined ? 0 : (hit.terms.weights[signal] ?? 0)),
    0,
  );
  return { near, weight };
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

/** So many hits are looked at in a step. */
const step = 4_096;
/** Where each may have to ask what the text around it says, so many. */
const asking = 64;

/**
 * The findings that signals of a whole text come to, in steps. Those of which there are too few different ones
 * anywhere are not looked at closely.
 */
export function* tallySignals(hits: readonly SignalHit[]): Generator<undefined, Finding[]> {
  const reaching = yield* termsReached(hits);
  const findings: Finding[] = [];
  if (reaching.size === 0) return findings;
  const tally = new SignalTally();
  for (const near of yield* inOrder(hits, reaching)) {
    near.sort((a, b) => a.start - b.start || a.at - b.at || a.signal - b.signal);
    for (const [index, hit] of near.entries()) {
      if (index % asking === asking - 1) yield;
      findings.push(...tally.add(hit));
    }
    if (near.length >= asking >> 1) yield;
  }
  return findings;
}

/** Hits that stand far apart need not be compared to be brought into their order. */
const nearBits = 14;

function* inOrder(
  hits: readonly SignalHit[],
  reaching: ReadonlySet<SignalTerms>,
): Generator<undefined, readonly SignalHit[][]> {
  const groups = new Map<number, SignalHit[]>();
  for (const [index, hit] of hits.entries()) {
    if (index % step === step - 1) yield;
    if (!reaching.has(hit.terms)) continue;
    const key = (hit.start >> nearBits) * 2 ** 20 + (hit.at >> nearBits);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}

/** Those whose distinct signals come to the threshold anywhere in the text. There are but a few of them. */
function* termsReached(hits: readonly SignalHit[]): Generator<undefined, ReadonlySet<SignalTerms>> {
  const sums = new Map<SignalTerms, { weight: number; readonly signals: boolean[] }>();
  for (const [index, { terms, signal }] of hits.entries()) {
    if (index % step === step - 1) yield;
    let sum = sums.get(terms);
    if (sum === undefined) sums.set(terms, (sum = { weight: 0, signals: [] }));
    if (sum.signals[signal] === true) continue;
    sum.signals[signal] = true;
    sum.weight += terms.weights[signal] ?? 0;
  }
  return new Set([...sums].flatMap(([terms, { weight }]) => (weight >= terms.threshold ? [terms] : [])));
}

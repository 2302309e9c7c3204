import type { CompiledRule } from './compiled-rule.ts';
import type { Finding } from './policy.ts';

/** A signal that was found: its finding, before it is known whether the rule comes to a match. */
export interface SignalHit {
  readonly rule: CompiledRule;
  /** Place in the rule's list of signals. */
  readonly signal: number;
  readonly finding: Finding;
  /** The reading that it stands in, the same object for all hits of a reading, and its offset there. */
  readonly reading: unknown;
  readonly at: number;
  /** It speaks of the text as a whole, and so is near everything in it. */
  readonly isWhole: boolean;
}

/**
 * How far apart two hits stand. Within a reading it is the reading that counts: encodings make a text
 * several times as long, and of some it is only known what surrounds them.
 */
function distance(one: SignalHit, other: SignalHit): number {
  if (one.isWhole || other.isWhole) return 0;
  if (one.reading === other.reading) return Math.abs(one.at - other.at);
  return Math.abs(one.finding.start - other.finding.start);
}

/**
 * Adds up the signals of rules: a rule matches, once in a text, when the weights of distinct signals
 * within its window reach its threshold. Of each signal the latest place counts, so a hit costs no
 * more than the rule has signals, and nothing is kept that the window has left behind.
 */
export class SignalTally {
  readonly #latest = new Map<CompiledRule, (SignalHit | undefined)[]>();
  readonly #matched = new Set<CompiledRule>();

  /** The finding that this hit completes. Hits come in the order of their start, or nearly so. */
  add(hit: SignalHit): Finding | undefined {
    const { rule, signal, finding } = hit;
    const terms = rule.signals;
    if (terms === undefined || this.#matched.has(rule)) return undefined;
    let latest = this.#latest.get(rule);
    if (latest === undefined) this.#latest.set(rule, (latest = terms.names.map(() => undefined)));
    latest[signal] = hit;
    const near = latest.map((other) =>
      other !== undefined && distance(other, hit) <= terms.window ? other.finding : undefined,
    );
    const weight = near.reduce((sum, other, index) => sum + (other === undefined ? 0 : (terms.weights[index] ?? 0)), 0);
    if (weight < terms.threshold) return undefined;
    this.#matched.add(rule);
    const hits = near.flatMap((other) => other ?? []);
    return {
      ...finding,
      start: Math.min(...hits.map(({ start }) => start)),
      end: Math.max(...hits.map(({ end }) => end)),
      mapped: hits.every(({ mapped }) => mapped),
      signals: terms.names.filter((_name, index) => near[index] !== undefined),
    };
  }
}

import type { CompiledRule } from './compiled-rule.ts';
import type { Finding } from './policy.ts';

/** A signal that was found: its finding, before it is known whether the rule comes to a match. */
export interface SignalHit {
  readonly rule: CompiledRule;
  /** Place in the rule's list of signals. */
  readonly signal: number;
  readonly finding: Finding;
}

/**
 * Adds up the signals of rules: a rule matches, once in a text, when the weights of distinct signals
 * within its window reach its threshold. Of each signal the latest place counts, so a hit costs no
 * more than the rule has signals, and nothing is kept that the window has left behind.
 */
export class SignalTally {
  readonly #latest = new Map<CompiledRule, (Finding | undefined)[]>();
  readonly #matched = new Set<CompiledRule>();

  /** The finding that this hit completes. Hits come in the order of their start, or nearly so. */
  add({ rule, signal, finding }: SignalHit): Finding | undefined {
    const terms = rule.signals;
    if (terms === undefined || this.#matched.has(rule)) return undefined;
    let latest = this.#latest.get(rule);
    if (latest === undefined) this.#latest.set(rule, (latest = terms.names.map(() => undefined)));
    latest[signal] = finding;
    const near = latest.map((hit) =>
      hit !== undefined && Math.abs(hit.start - finding.start) <= terms.window ? hit : undefined,
    );
    const weight = near.reduce((sum, hit, index) => sum + (hit === undefined ? 0 : (terms.weights[index] ?? 0)), 0);
    if (weight < terms.threshold) return undefined;
    this.#matched.add(rule);
    const hits = near.flatMap((hit) => hit ?? []);
    return {
      ...finding,
      start: Math.min(...hits.map(({ start }) => start)),
      end: Math.max(...hits.map(({ end }) => end)),
      mapped: hits.every(({ mapped }) => mapped),
      signals: terms.names.filter((_name, index) => near[index] !== undefined),
    };
  }
}

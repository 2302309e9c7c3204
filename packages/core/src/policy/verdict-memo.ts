import { hash } from 'node:crypto';
import type { PlanScope } from './plan-scope.ts';
import type { Finding } from './policy.ts';
import { bytesOf } from './text-units.ts';

/** Shorter texts are read as fast as they are looked up. */
const shortest = 512;

/** Verdicts that are kept for each kind of texts. */
const maxKept = 2_048;

/**
 * What was found in texts that came before. A chat sends its whole history with every turn: only what is new in it
 * has to be read. Texts themselves are not kept, but what their units hash to.
 */
export class VerdictMemo {
  readonly #known = new WeakMap<PlanScope, Map<string, readonly Finding[]>>();

  /** What is known of the text in a scope, or what `scan` finds now. */
  recall(scope: PlanScope, text: string, scan: () => readonly Finding[]): readonly Finding[] {
    if (text.length < shortest) return scan();
    let verdicts = this.#known.get(scope);
    if (verdicts === undefined) this.#known.set(scope, (verdicts = new Map<string, readonly Finding[]>()));
    const key = hash('sha256', bytesOf(text), 'base64');
    const findings = verdicts.get(key) ?? scan();
    // Whoever is asked for last goes last.
    verdicts.delete(key);
    verdicts.set(key, findings);
    const [oldest] = verdicts.size > maxKept ? verdicts.keys() : [];
    if (oldest !== undefined) verdicts.delete(oldest);
    return findings;
  }
}

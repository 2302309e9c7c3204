import { hash } from 'node:crypto';
import type { PlanScope } from './plan-scope.ts';
import type { Finding } from './policy.ts';
import { bytesOf } from './text-units.ts';

/** Shorter texts are read as fast as they are looked up. */
const shortest = 512;

/** Verdicts that are kept for each kind of texts. */
const maxKept = 2_048;

type Verdicts = Map<string, readonly Finding[]>;

/**
 * What was found in texts that came before. A chat sends its whole history with every turn: only what is new in it
 * has to be read. Texts themselves are not kept, but what their units hash to.
 */
export class VerdictMemo {
  readonly #known = new WeakMap<PlanScope, Verdicts>();

  /** What is known of the text in a scope, or what `scan` finds now. */
  recall(scope: PlanScope, text: string, scan: () => readonly Finding[]): readonly Finding[] {
    if (text.length < shortest) return scan();
    const verdicts = this.#of(scope);
    const key = keyOf(text);
    return keep(verdicts, key, verdicts.get(key) ?? scan());
  }

  /** The same for a scan that goes on in steps. */
  *recallInSteps(
    scope: PlanScope,
    text: string,
    scan: () => Generator<undefined, readonly Finding[]>,
  ): Generator<undefined, readonly Finding[]> {
    const verdicts = this.#of(scope);
    const key = keyOf(text);
    return keep(verdicts, key, verdicts.get(key) ?? (yield* scan()));
  }

  #of(scope: PlanScope): Verdicts {
    let verdicts = this.#known.get(scope);
    if (verdicts === undefined) this.#known.set(scope, (verdicts = new Map<string, readonly Finding[]>()));
    return verdicts;
  }
}

const keyOf = (text: string): string => hash('sha256', bytesOf(text), 'base64');

/** Whoever is asked for last goes last. */
function keep(verdicts: Verdicts, key: string, findings: readonly Finding[]): readonly Finding[] {
  verdicts.delete(key);
  verdicts.set(key, findings);
  const [oldest] = verdicts.size > maxKept ? verdicts.keys() : [];
  if (oldest !== undefined) verdicts.delete(oldest);
  return findings;
}

import { hash } from 'node:crypto';
import type { PlanScope } from '../plan/plan-scope.ts';
import type { Finding } from '../policy.ts';
import { bytesOf } from '../finder/text-units.ts';

/** Texts up to this length are the words of a protocol, names of models and ids, most of them in every request. */
const longestWord = 64;

/** Texts from this length on are read more slowly than their hash is made. */
const shortestHashed = 512;

/** Verdicts that are kept for each kind of texts, and findings in them: some megabytes, whatever comes. */
const maxKept = 2_048;
const maxFindings = 8_192;

const none: readonly Finding[] = Object.freeze([]);

interface Known {
  readonly verdicts: Verdicts;
  readonly harmless: HarmlessWords;
}

/**
 * What was found in texts that came before. A chat sends its whole history with every turn: only what is new in it
 * has to be read. Of long texts the hash is kept, of short ones in which nothing was found the text: each is told from
 * all others for certain.
 */
export class VerdictMemo {
  readonly #known = new WeakMap<PlanScope, Known>();

  /** What is known of the text in a scope, or what `scan` finds now. */
  recall(scope: PlanScope, text: string, scan: () => readonly Finding[]): readonly Finding[] {
    if (text.length <= longestWord) return this.#recallWord(scope, text, scan);
    if (text.length < shortestHashed) return scan();
    const { verdicts } = this.#of(scope);
    const key = keyOf(text);
    return verdicts.keep(key, verdicts.get(key) ?? scan());
  }

  /** The same for a scan that goes on in steps. */
  *recallInSteps(
    scope: PlanScope,
    text: string,
    scan: () => Generator<undefined, readonly Finding[]>,
  ): Generator<undefined, readonly Finding[]> {
    const { verdicts } = this.#of(scope);
    const key = keyOf(text);
    return verdicts.keep(key, verdicts.get(key) ?? (yield* scan()));
  }

  #recallWord(scope: PlanScope, text: string, scan: () => readonly Finding[]): readonly Finding[] {
    const { harmless } = this.#of(scope);
    if (harmless.has(text)) return none;
    const findings = scan();
    if (findings.length === 0) harmless.add(text);
    return findings;
  }

  #of(scope: PlanScope): Known {
    let known = this.#known.get(scope);
    if (known === undefined) {
      known = { verdicts: new Verdicts(), harmless: new HarmlessWords() };
      this.#known.set(scope, known);
    }
    return known;
  }
}

/** Short texts in which nothing was found: of two halves the elder is forgotten whenever the other is full. */
class HarmlessWords {
  #recent = new Set<string>();
  #former = new Set<string>();

  has(text: string): boolean {
    if (this.#recent.has(text)) return true;
    if (!this.#former.has(text)) return false;
    this.add(text);
    return true;
  }

  add(text: string): void {
    if (this.#recent.size >= maxKept / 2) {
      this.#former = this.#recent;
      this.#recent = new Set();
    }
    this.#recent.add(text);
  }
}

/** UTF-8 tells all texts apart but those with half of a surrogate pair, which hash by their units. */
const keyOf = (text: string): string =>
  text.isWellFormed() ? hash('sha256', text, 'base64') : `units ${hash('sha256', bytesOf(text), 'base64')}`;

/** Whoever was asked for last goes last: what comes no more is forgotten by what comes instead. */
class Verdicts {
  readonly #byKey = new Map<string, readonly Finding[]>();
  #findings = 0;

  get(key: string): readonly Finding[] | undefined {
    return this.#byKey.get(key);
  }

  keep(key: string, findings: readonly Finding[]): readonly Finding[] {
    this.#drop(key);
    this.#byKey.set(key, findings);
    this.#findings += findings.length;
    while (this.#byKey.size > maxKept || this.#findings > maxFindings) {
      const [oldest] = this.#byKey.keys();
      if (oldest !== undefined) this.#drop(oldest);
    }
    return findings;
  }

  #drop(key: string): void {
    this.#findings -= this.#byKey.get(key)?.length ?? 0;
    this.#byKey.delete(key);
  }
}

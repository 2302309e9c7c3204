import { hash } from 'node:crypto';
import type { PlanScope } from '../plan/plan-scope.ts';
import type { Finding } from '../policy.ts';
import { bytesOf, fingerprintOf } from '../finder/text-units.ts';
import { HarmlessTexts } from './harmless-texts.ts';
import { HarmlessWords } from './harmless-words.ts';

/** Texts up to this length are the words of a protocol, names of models and ids, most of them in every request. */
const longestWord = 64;

/** Verdicts that are kept for each kind of texts, and findings in them: some megabytes, whatever comes. */
const maxKept = 2_048;
const maxFindings = 8_192;

const none: readonly Finding[] = Object.freeze([]);

/** One room for the texts of all plans, made when there is one to keep: however many there are, it is no larger. */
let harmlessTexts: HarmlessTexts | undefined;
let scopes = 0;

interface Known {
  /** Tells the scope from all others, those of other plans included. */
  readonly number: number;
  readonly verdicts: Verdicts;
  readonly harmless: HarmlessWords;
}

/**
 * What was found in texts that came before. A chat sends its whole history with every turn: only what is new in it
 * has to be read. Texts in which nothing was found are kept themselves for a while, of others the hash: each is told
 * from all others for certain. Most texts come once, so that must cost next to nothing.
 */
export class VerdictMemo {
  readonly #known = new WeakMap<PlanScope, Known>();

  /** What is known of the text in a scope, or what `scan` finds now. */
  recall(scope: PlanScope, text: string, scan: () => readonly Finding[]): readonly Finding[] {
    if (text.length <= longestWord) return this.#recallWord(scope, text, scan);
    const known = this.#of(scope);
    const print = fingerprintOf(text);
    return this.#find(known, text, print) ?? this.#keep(known, text, print, scan());
  }

  /** The same for a scan that goes on in steps. */
  *recallInSteps(
    scope: PlanScope,
    text: string,
    scan: () => Generator<undefined, readonly Finding[]>,
  ): Generator<undefined, readonly Finding[]> {
    const known = this.#of(scope);
    const print = fingerprintOf(text);
    return this.#find(known, text, print) ?? this.#keep(known, text, print, yield* scan());
  }

  #find({ number, verdicts }: Known, text: string, print: number): readonly Finding[] | undefined {
    const found = harmlessTexts?.find(text, print, number);
    if (found !== 'elsewhere') return found && none;
    const key = keyOf(text);
    const findings = verdicts.get(key);
    return findings && verdicts.keep(key, findings);
  }

  #keep({ number, verdicts }: Known, text: string, print: number, findings: readonly Finding[]): readonly Finding[] {
    const texts = (harmlessTexts ??= new HarmlessTexts());
    if (findings.length === 0 && texts.keep(text, print, number)) return findings;
    texts.noteElsewhere(text, print, number);
    return verdicts.keep(keyOf(text), findings);
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
      scopes += 1;
      known = { number: scopes, verdicts: new Verdicts(), harmless: new HarmlessWords() };
      this.#known.set(scope, known);
    }
    return known;
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

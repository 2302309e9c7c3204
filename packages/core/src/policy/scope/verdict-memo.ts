import { hash } from 'node:crypto';
import { budgetRule } from '../plan/compiled-plan.ts';
import type { Finding } from '../policy.ts';
import { bytesOf, fingerprintOf } from '../views/text-units.ts';
import { CleanTextCache } from './clean-text-cache.ts';
import { CleanWordCache } from './clean-word-cache.ts';

/** Texts up to this length are the words of a protocol, names of models and ids, most of them in every request. */
const longestWord = 64;

/** Longer texts, in characters, are read each time: to know them again would be a long step by itself. */
const longestRemembered = 1 << 20;

/** Verdicts that are kept for each kind of texts, and findings in them: some megabytes at most. */
const maxKept = 2_048;
const maxFindings = 8_192;

const none: readonly Finding[] = Object.freeze([]);

/** One room for the texts of all plans, made when there is one to keep: however many there are, it is no larger. */
let cleanTextCache: CleanTextCache | undefined;
let memos = 0;

/**
 * What was found in texts of one scope that came before. A chat sends its whole history with every turn: only what is new in it
 * has to be read. Texts in which nothing was found are kept themselves for a while, of others the hash: each is told
 * from all others for certain. Most texts come once, so that must cost next to nothing.
 */
export class VerdictMemo {
  /** Tells the memo from all others, those of other plans included. */
  readonly #number = (memos += 1);
  readonly #verdicts = new Verdicts();
  readonly #harmless = new CleanWordCache();

  /** What is known of the text, or what `scan` finds now. */
  recall(text: string, scan: () => readonly Finding[]): readonly Finding[] {
    if (text.length <= longestWord) return this.#recallWord(text, scan);
    const print = fingerprintOf(text);
    return this.#find(text, print) ?? this.#keep(text, print, scan());
  }

  /** The same for a scan that goes on in steps. */
  *recallCooperatively(
    text: string,
    scan: () => Generator<undefined, readonly Finding[]>,
  ): Generator<undefined, readonly Finding[]> {
    if (text.length > longestRemembered) return yield* scan();
    const print = fingerprintOf(text);
    return this.#find(text, print) ?? this.#keep(text, print, yield* scan());
  }

  #find(text: string, print: number): readonly Finding[] | undefined {
    const found = cleanTextCache?.find(text, print, this.#number);
    if (found !== 'elsewhere') return found && none;
    const key = keyOf(text);
    const findings = this.#verdicts.get(key);
    return findings && this.#verdicts.keep(key, findings);
  }

  #keep(text: string, print: number, findings: readonly Finding[]): readonly Finding[] {
    // What others in its body left no room for may be read where it stands alone.
    if (findings.some(({ ruleId }) => ruleId === budgetRule)) return findings;
    const texts = (cleanTextCache ??= new CleanTextCache());
    if (findings.length === 0 && texts.keep(text, print, this.#number)) return findings;
    texts.noteElsewhere(text, print, this.#number);
    return this.#verdicts.keep(keyOf(text), findings);
  }

  #recallWord(text: string, scan: () => readonly Finding[]): readonly Finding[] {
    if (this.#harmless.has(text)) return none;
    const findings = scan();
    if (findings.length === 0) this.#harmless.add(text);
    return findings;
  }
}

/** UTF-8 tells all texts apart but those with half of a surrogate pair, which hash by their units. */
const keyOf = (text: string): string =>
  text.isWellFormed() ? hash('sha256', text, 'base64') : `units ${hash('sha256', bytesOf(text), 'base64')}`;

/** What was asked for last goes last: what comes no more is forgotten by what comes instead. */
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

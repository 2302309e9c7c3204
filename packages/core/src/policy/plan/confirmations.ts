import type { Confirm, PatternDetector } from '../detectors/detector.ts';

/** So many different matches are asked about in one text. More are in no text that people write. */
const maxAsked = 512;

/**
 * What was found out about matches of one text by asking what takes long. A match that comes again is not asked about
 * again, and beyond `maxAsked` different ones a match is taken for what it looks like: that hides too much rather than
 * too little, and what a text can cost has a bound.
 */
export class Confirmations {
  /** By index of the pattern. */
  readonly #known = new Map<number, Confirm>();

  /** How to ask on behalf of a pattern; undefined where its detector has nothing to ask. */
  of(index: number, { confirm }: PatternDetector): Confirm | undefined {
    if (confirm === undefined) return undefined;
    let known = this.#known.get(index);
    if (known === undefined) this.#known.set(index, (known = remember(confirm)));
    return known;
  }

  clear(): void {
    if (this.#known.size > 0) this.#known.clear();
  }
}

function remember(ask: Confirm): Confirm {
  const answers = new Map<string, boolean>();
  return (match) => {
    const known = answers.get(match);
    if (known !== undefined) return known;
    if (answers.size >= maxAsked) return true;
    const answer = ask(match);
    answers.set(match, answer);
    return answer;
  };
}

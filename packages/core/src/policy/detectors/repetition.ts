import { mostWordsIn } from '../views/text-units.ts';
import type { TextDetector } from './detector.ts';

/** Fewer words, of which each takes a character and a space, repeat each other by chance. */
const fewestWords = 60;
const mostWords = 4_000;

/** What is further on is not looked at. */
const mostUnits = 32_000;

/** A phrase of more words that comes again and again is a line of a log, a sentence of a form, a verse. */
const longestPhrase = 4;

/** Rows of dumps and grids repeat a cell up to 32 times in one line. */
const fewestInARow = 40;

/**
 * The share of words that say a phrase of up to four words over and over within one line: floods and runaway answers.
 * What logs, traces, tables, matrices and lists repeat is data: equal lines, cells, figures, paths and marks.
 */
export const repetition: TextDetector = {
  kind: 'text',
  name: 'repetition',
  type: 'REPETITION',
  description: 'Texts that say the same few words again and again within a line',
  score(text, least = 0) {
    if (text.length < 2 * fewestWords - 1) return 0;
    const most = Math.min(mostWords, mostWordsIn(text));
    if (most < fewestWords) return 0;
    return shareOfRepeats(text.slice(0, mostUnits).toLowerCase(), Math.floor((1 - least) * most + rounding));
  },
};

const rounding = 1e-9;

/** 0 as soon as more words than `mostOthers` repeat nothing. */
function shareOfRepeats(text: string, mostOthers: number): number {
  line.begin();
  let words = 0;
  let repeated = 0;
  let hash = 0;
  let kindsInWord = 0;
  for (let at = 0; at <= text.length && words < mostWords; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : 0x20;
    const kind = kinds[unit] as number;
    if (kind < blank) {
      // A letter behind a full stop belongs to a name or an address.
      kindsInWord |= kind === letter && (kindsInWord & ending) !== 0 ? other : kind;
      hash = hashWith(hash, unit);
      continue;
    }
    if (kindsInWord !== 0) {
      words += 1;
      // Points without a letter lead the eye to the number of a page, or stand for what a table leaves out.
      if ((kindsInWord & (letter | other)) !== letter || cellWords.has(hash)) line.begin();
      else repeated += line.add(hash);
      hash = kindsInWord = 0;
      if (words - repeated - line.uncounted > mostOthers) return 0;
    }
    if (kind === lineBreak) line.begin();
  }
  return words < fewestWords ? 0 : repeated / words;
}

/** The latest words of a line, and how many of them in a row repeat what stands one to four words before. */
class Line {
  readonly #latest = new Int32Array(longestPhrase);
  readonly #runs = new Int32Array(longestPhrase + 1);
  #words = 0;
  #longestRun = 0;

  /** Words that repeat others, in a row that is still too short to count. */
  get uncounted(): number {
    return this.#longestRun < fewestInARow ? this.#longestRun : 0;
  }

  begin(): void {
    this.#words = this.#longestRun = 0;
    this.#runs.fill(0);
  }

  /** How many words more are known to be repeated. */
  add(word: number): number {
    let longest = 0;
    for (let distance = 1; distance <= longestPhrase; distance += 1) {
      const isSame = distance <= this.#words && this.#latest[(this.#words - distance) % longestPhrase] === word;
      const run = isSame ? (this.#runs[distance] as number) + 1 : 0;
      this.#runs[distance] = run;
      if (run > longest) longest = run;
    }
    this.#latest[this.#words % longestPhrase] = word;
    this.#words += 1;
    this.#longestRun = longest;
    if (longest === fewestInARow) return fewestInARow;
    return longest > fewestInARow ? 1 : 0;
  }
}

const line = new Line();

/** By unit: what words are made of, what ends a sentence, other marks and digits; from `blank` on, what parts words. */
const letter = 1;
const ending = 2;
const other = 4;
const blank = 8;
const lineBreak = 9;
const kinds = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[\n\v\f\r\u0085\u2028\u2029]/.test(char)) return lineBreak;
  if (/\s/.test(char)) return blank;
  // Halves of surrogate pairs are taken for letters: scripts and emoji.
  if (/[\p{L}\p{M}\p{Cs}'’-]/u.test(char)) return letter;
  return /[.!?…。！？]/u.test(char) ? ending : other;
});

const hashWith = (hash: number, unit: number): number => Math.imul(hash, 0x0100_0193) + unit + 1;

/** What stands in cells where there is no value, or only one of two. */
const cellWords = new Set(
  ['-', 'nan', 'inf', 'nil', 'null', 'none', 'undefined', 'na', 'true', 'false', 'yes', 'no', 'ok', 'todo', 'tbd'].map(
    (word) => Array.from(word, (char) => char.charCodeAt(0)).reduce(hashWith, 0),
  ),
);

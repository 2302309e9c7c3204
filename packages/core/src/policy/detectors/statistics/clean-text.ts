import { unitsOf } from '../../finder/text-units.ts';
import { newWords, readWords, type Words } from './words.ts';

/** More is not weighed: what a table is about stands at an end of a text. */
const mostAtAnEnd = 16_384;

/** What holds this many units without a space is no wording: keys, addresses, what is encoded. */
const longestWord = 40;
/** Figures from this many digits on say nothing. */
const fewestDigits = 3;

/** A part of a text, without what is odd by nature and says nothing of wording. It holds until the next text is asked for. */
export class CleanText {
  units: Uint16Array = new Uint16Array(0);
  length = 0;
  readonly #room: Uint16Array;
  readonly #words = newWords();
  #hasWords = false;

  constructor(most: number) {
    this.#room = new Uint16Array(most);
  }

  /** All tables of words ask for the same words, which are read once. */
  get words(): Words {
    if (!this.#hasWords) readWords(this.units, this.length, this.#words);
    this.#hasWords = true;
    return this.#words;
  }

  /** Most parts hold nothing odd, and are read where they stand. */
  read(units: Uint16Array, from: number, to: number): void {
    this.#hasWords = false;
    this.length = clean(units, from, to, this.#room);
    this.units = this.#room;
    if (this.length > 0 || from === to) return;
    this.units = from === 0 ? units : units.subarray(from);
    this.length = to - from;
  }
}

const whole = new CleanText(2 * mostAtAnEnd);
const tail = new CleanText(mostAtAnEnd);
const inOne = [whole];
const inTwo = [whole, tail];
let known: string | undefined;
let knownUnits: Uint16Array | undefined;

/** The text, of long ones both ends. All tables ask for the same text, which is read once; it holds until the next. */
export function cleanText(text: string): readonly CleanText[] {
  const isLong = text.length > 2 * mostAtAnEnd;
  // Asked again, since others may have been in between.
  const units = unitsOf(text);
  if (text !== known || units !== knownUnits) {
    whole.read(units, 0, isLong ? mostAtAnEnd : text.length);
    if (isLong) tail.read(units, text.length - mostAtAnEnd, text.length);
    known = text;
    knownUnits = units;
  }
  return isLong ? inTwo : inOne;
}

/** By unit: what else stands in a text 0, what else words are made of 1, digits 2, spaces 3. */
const word = 1;
const digit = 2;
const space = 3;
const kinds = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/\s/.test(char)) return space;
  return /\d/.test(char) ? digit : /\w/.test(char) ? word : 0;
});

/**
 * Copies the units, with one space for each long word and each long figure that stands alone; answers how many those
 * are, and 0, with nothing copied, where there is neither. Looks at every third unit for figures and at every fortieth
 * for words, which none can hide between.
 */
function clean(units: Uint16Array, from: number, to: number, into: Uint16Array): number {
  let length = 0;
  let copied = from;
  let [longStart, longEnd] = nextLongWord(units, from, from, to);
  for (let at = from + fewestDigits - 1; at < to || longStart < to; at += fewestDigits) {
    let [start, end] = [longStart, longEnd];
    if (at < longStart) {
      if (kinds[units[at] as number] !== digit) continue;
      start = startOfDigits(units, at, from);
      end = endOfFigure(units, start, from, to);
      if (start === end) continue;
    } else {
      [longStart, longEnd] = nextLongWord(units, longEnd, from, to);
    }
    for (; copied < start; copied += 1) into[length++] = units[copied] as number;
    into[length++] = 0x20;
    copied = end;
    at = end - 1;
  }
  if (copied === from) return 0;
  for (; copied < to; copied += 1) into[length++] = units[copied] as number;
  return length;
}

/** Where the next long word begins and ends; both are `to` when there is none. */
function nextLongWord(units: Uint16Array, start: number, from: number, to: number): readonly [number, number] {
  for (let at = start + longestWord - 1; at < to; at += longestWord) {
    if (kinds[units[at] as number] === space) continue;
    let first = at;
    while (first > from && kinds[units[first - 1] as number] !== space) first -= 1;
    let end = at + 1;
    while (end < to && kinds[units[end] as number] !== space) end += 1;
    if (end - first >= longestWord) return [first, end];
  }
  return [to, to];
}

function startOfDigits(units: Uint16Array, at: number, from: number): number {
  let start = at;
  while (start > from && kinds[units[start - 1] as number] === digit) start -= 1;
  return start;
}

/** Where the figure ends that begins at `at`, or `at` when none does that is long and stands alone. */
function endOfFigure(units: Uint16Array, at: number, from: number, to: number): number {
  if (at > from && isOfWord(units[at - 1] as number)) return at;
  let end = at + 1;
  while (end < to && kinds[units[end] as number] === digit) end += 1;
  return end - at < fewestDigits || (end < to && isOfWord(units[end] as number)) ? at : end;
}

const isOfWord = (unit: number): boolean => kinds[unit] === word || kinds[unit] === digit;

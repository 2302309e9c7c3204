import { signsOf, textSign, unitsOf } from '../../views/text-units.ts';
import { readWords, Words } from './words.ts';

/** More is not weighed: what a table is about stands at an end of a text. */
const mostAtAnEnd = 16_384;

/** So many units a clean text has at most. */
export const mostWeighed = 2 * mostAtAnEnd;

/** What holds this many units without a space is no wording: keys, addresses, what is encoded. */
const longestWord = 40;
/** Figures from this many digits on say nothing. */
const fewestDigits = 3;

/** A part of a text, without what is odd by nature and says nothing of wording. It holds until the next text is asked for. */
export class CleanText {
  units: Uint16Array = new Uint16Array(0);
  length = 0;
  readonly #room: Uint16Array;
  readonly #words = new Words();
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

  /** Most parts hold nothing odd, and are read where they stand: `isClean` tells that it is known. */
  read(units: Uint16Array, from: number, to: number, isClean = false): void {
    this.#hasWords = false;
    this.length = isClean ? 0 : clean(units, from, to, this.#room);
    this.units = this.#room;
    if (this.length > 0 || from === to) return;
    this.units = from === 0 ? units : units.subarray(from);
    this.length = to - from;
  }
}

const whole = new CleanText(mostWeighed);
const tail = new CleanText(mostAtAnEnd);
const inOne = [whole];
const inTwo = [whole, tail];
let known: string | undefined;
let knownUnits: Uint16Array | undefined;

/** The text, of long ones both ends. All tables ask for the same text, which is read once; it holds until the next. */
export function cleanText(text: string): readonly CleanText[] {
  const isLong = text.length > mostWeighed;
  // Asked again, since others may have been in between.
  const units = unitsOf(text);
  if (text !== known || units !== knownUnits) {
    const isClean = (signsOf(text) & (textSign.figure | textSign.longWord)) === 0;
    whole.read(units, 0, isLong ? mostAtAnEnd : text.length, isClean);
    if (isLong) tail.read(units, text.length - mostAtAnEnd, text.length, isClean);
    known = text;
    knownUnits = units;
  }
  return isLong ? inTwo : inOne;
}

export const isSpace = (unit: number): boolean => kinds[unit] === space;

/** By unit, a bit for each kind: what else words are made of, digits, spaces; 0 for what else stands in a text. */
const word = 1;
const digit = 2;
const space = 4;
const kinds = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/\s/.test(char)) return space;
  return /\d/.test(char) ? digit : /\w/.test(char) ? word : 0;
});

/**
 * Copies the units, with one space for each long word and each long figure that stands alone; answers how many those
 * are, and 0, with nothing copied, where there is neither.
 */
function clean(units: Uint16Array, from: number, to: number, into: Uint16Array): number {
  let length = 0;
  let copied = from;
  let long = nextLongWord(units, from, to);
  for (let at = from + fewestDigits - 1; ; at += fewestDigits) {
    at = nextDigit(units, at, long);
    if (at >= long && long === to) break;
    const start = at < long ? startOfDigits(units, at, from) : long;
    const end = at < long ? endOfFigure(units, start, from, to) : endOfWord(units, long, to);
    if (start === end) continue;
    if (start === long) long = nextLongWord(units, end, to);
    for (; copied < start; copied += 1) into[length++] = units[copied] as number;
    into[length++] = 0x20;
    copied = end;
    at = end - 1;
  }
  if (copied === from) return 0;
  for (; copied < to; copied += 1) into[length++] = units[copied] as number;
  return length;
}

/** Where a digit stands: looks at every third unit, which no long figure can hide between. `to` or more when none does. */
function nextDigit(units: Uint16Array, from: number, to: number): number {
  const kindAt = (at: number): number => kinds[units[at] as number] as number;
  const stride = fewestDigits;
  let at = from;
  while (at + 3 * stride < to) {
    if (((kindAt(at) | kindAt(at + stride) | kindAt(at + 2 * stride) | kindAt(at + 3 * stride)) & digit) !== 0) break;
    at += 4 * stride;
  }
  while (at < to && kindAt(at) !== digit) at += stride;
  return at;
}

/**
 * Where the next long word begins, `to` when there is none: from behind a space it looks for the last one that a long
 * word would not leave room for.
 */
function nextLongWord(units: Uint16Array, from: number, to: number): number {
  let start = from;
  while (start + longestWord <= to) {
    let at = start + longestWord - 1;
    while (at >= start && kinds[units[at] as number] !== space) at -= 1;
    if (at < start) return start;
    start = at + 1;
  }
  return to;
}

function endOfWord(units: Uint16Array, start: number, to: number): number {
  let end = start + longestWord;
  while (end < to && kinds[units[end] as number] !== space) end += 1;
  return end;
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

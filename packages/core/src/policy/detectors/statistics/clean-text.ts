import { unitsOf } from '../../text-units.ts';

/** More is not weighed: what a table is about stands at an end of a text. */
const mostAtAnEnd = 16_384;

/** What holds this many units without a space is no wording: keys, addresses, what is encoded. */
const longestWord = 40;
/** Figures from this many digits on say nothing. */
const fewestDigits = 3;

/** A part of a text, without what is odd by nature and says nothing of wording. */
export interface CleanText {
  readonly units: Uint16Array;
  length: number;
}

const whole: CleanText = { units: new Uint16Array(2 * mostAtAnEnd), length: 0 };
const tail: CleanText = { units: new Uint16Array(mostAtAnEnd), length: 0 };
const inOne = [whole];
const inTwo = [whole, tail];
let known: string | undefined;

/** The text, of long ones both ends. All tables ask for the same text, which is read once; it holds until the next. */
export function cleanText(text: string): readonly CleanText[] {
  const isLong = text.length > 2 * mostAtAnEnd;
  if (text !== known) {
    const units = unitsOf(text);
    whole.length = clean(units, 0, isLong ? mostAtAnEnd : text.length, whole.units);
    if (isLong) tail.length = clean(units, text.length - mostAtAnEnd, text.length, tail.units);
    known = text;
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

/** Copies the units, with one space for each long word and each long figure that stands alone. */
function clean(units: Uint16Array, from: number, to: number, into: Uint16Array): number {
  let length = 0;
  /** Where the word began that is being read, here and in what is written. */
  let wordStart = from;
  let writtenStart = 0;
  for (let at = from; at < to; at += 1) {
    const unit = units[at] as number;
    const kind = kinds[unit] as number;
    if (kind === space) {
      if (at - wordStart >= longestWord) {
        into[writtenStart] = 0x20;
        length = writtenStart + 1;
      }
      wordStart = at + 1;
      writtenStart = length + 1;
    } else if (kind === digit) {
      const end = endOfFigure(units, at, from, to);
      if (end > at) {
        into[length] = 0x20;
        length += 1;
        at = end - 1;
        continue;
      }
    }
    into[length] = unit;
    length += 1;
  }
  if (to - wordStart < longestWord) return length;
  into[writtenStart] = 0x20;
  return writtenStart + 1;
}

/** Where the figure ends that begins at `at`, or `at` when none does that is long and stands alone. */
function endOfFigure(units: Uint16Array, at: number, from: number, to: number): number {
  if (at > from && isOfWord(units[at - 1] as number)) return at;
  let end = at + 1;
  while (end < to && kinds[units[end] as number] === digit) end += 1;
  return end - at < fewestDigits || (end < to && isOfWord(units[end] as number)) ? at : end;
}

const isOfWord = (unit: number): boolean => kinds[unit] === word || kinds[unit] === digit;

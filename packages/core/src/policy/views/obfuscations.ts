import { unitsOf } from './text-units.ts';
import { renderUnits } from './fold.ts';
import { vocabulary } from './vocabulary.ts';
import { cluster, type Emit, type Piece } from './piece.ts';

/** How much text around the first and last sign is read with them. */
const context = 2_048;

/**
 * Words that stand in any English text, and in other languages in most, turned by 13 places and turned round. The automaton looks for
 * them with everything else, so that a text without them pays nothing.
 */
export const rot13Marks = [
  ' gur ',
  ' naq ',
  ' lbh ',
  'lbhe ',
  ' nyy ',
  'vtaber',
  'cerivbhf',
  'vafgehpg',
  'cebzcg',
  'flfgrz',
  ' jvgu ',
  ' guvf ',
  ' gung ',
  'unir ',
  'sbetrg',
  'erirny',
  'cnffjbeq',
  'ohg ',
  ' abg ',
  'cyrnfr',
  'rirelguvat',
  'nafjre',
  'nffvfgnag',
  'vafgrnq',
  'ehyrf',
  'ershfr',
  ' arire ',
  'tenagrq',
  'frperg',
  // German, French and Spanish
  ' haq ',
  ' nyyr ',
  ' yrf ',
  ' dhr ',
];
export const reversedMarks = [
  ' eht ',
  ' dna ',
  ' uoy ',
  'ruoy ',
  ' lla ',
  'erongi',
  'suoiverp',
  'tcurtsni',
  'noitcurts',
  'tpmorp',
  'metsys',
  ' htiw ',
  ' siht ',
  ' taht ',
  ' evah ',
  'tegrof',
  'laever',
  'drowssap',
  'esaelp',
  ' tub ',
  ' ton ',
  'gnihtyreve',
  'rewsna',
  'tnatsissa',
  'daetsni',
  'selur',
  'esufer',
  ' reven ',
  'detnarg',
  'terces',
  // German and Spanish
  ' dnu ',
  ' euq ',
];

/** Bits of the marks in what a scan reports. */
export const mark = { rot13: 1, reversed: 2 } as const;

/** A text with a letter for each letter: places stay. */
const inPlace = (view: Piece['view'], text: string, start: number): Piece => ({
  view,
  text,
  exact: true,
  locate: (from, to) => [from + start, to + start],
});

const window = (text: string, first: number, last: number): readonly [start: number, end: number] => [
  Math.max(0, first - context),
  Math.min(text.length, last + context),
];

export function decodeRot13(text: string, first: number, last: number, emit: Emit): boolean {
  const [start, end] = window(text, first, last);
  const units = unitsOf(text).slice(start, end);
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as number;
    if (leetKinds[unit] === letter) units[at] = (unit & 0x1f) <= 13 ? unit + 13 : unit - 13;
  }
  return emit(inPlace('rot13', renderUnits(units), start));
}

export function decodeReversed(text: string, first: number, last: number, emit: Emit): boolean {
  const [start, end] = window(text, first, last);
  const units = text.slice(start, end).split('').toReversed().join('');
  return emit({ view: 'reversed', text: units, exact: true, locate: (from, to) => [end - to, end - from] });
}

const leetLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
};
/** By unit below 128: the letter that it stands for, or itself. */
const leetUnits = Uint16Array.from({ length: 128 }, (_, unit) =>
  (leetLetters[String.fromCharCode(unit)] ?? String.fromCharCode(unit)).charCodeAt(0),
);

/** A one is an i or an l: more of them in a word than this are not told apart. */
const mostOnes = 4;

/** Longer words are none that is known; one letter more is a plural. */
const longestKnown = 1 + Math.max(...Array.from(vocabulary, ({ length }) => length));

const one = 0x31;
const small = { i: 0x69, l: 0x6c } as const;

/**
 * Puts letters for the digits of a word, in its place: of its readings the one that is a word, else with `i` for each
 * 1, and then notes where those stand.
 */
function readLeet(units: Uint16Array, start: number, wordEnd: number, ones: number[]): void {
  // A sign at the end of a word is what it is.
  let end = wordEnd;
  while (end > start && (units[end - 1] === 0x21 || units[end - 1] === 0x2b)) end -= 1;
  const known = end - start > longestKnown ? undefined : readOnes(renderLetters(units, start, end));
  // Figures are figures, unless they spell a word.
  if (known === undefined && !hasLetter(units, start, end)) return;
  for (let at = start; at < end; at += 1) {
    const unit = units[at] as number;
    if (known !== undefined) units[at] = known.charCodeAt(at - start);
    else if (unit !== one) units[at] = leetUnits[unit] as number;
    else {
      units[at] = small.i;
      ones.push(at);
    }
  }
}

function renderLetters(units: Uint16Array, start: number, end: number): string {
  let letters = '';
  for (let at = start; at < end; at += 1) letters += String.fromCharCode(leetUnits[units[at] as number] as number);
  return letters;
}

function hasLetter(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (leetKinds[units[at] as number] === letter) return true;
  return false;
}

/** With a one for each i and l: what a word has to come to for one of its readings to be known. */
const withOnes = (word: string): string => word.toLowerCase().replaceAll(/[il]/g, '1');
const knownWithOnes = new Set(Array.from(vocabulary, withOnes));

/** The reading of a word with ones that is known. */
function readOnes(letters: string): string | undefined {
  const plain = withOnes(letters);
  const isPlural = plain.endsWith('s') && knownWithOnes.has(plain.slice(0, -1));
  if (plain !== 't' && plain !== 's' && !isPlural && !knownWithOnes.has(plain)) return undefined;
  const places = [...letters.matchAll(/1/g)].map(({ index }) => index);
  const readings = places.length > mostOnes ? 0 : 1 << places.length;
  for (let choice = 0; choice < readings; choice += 1) {
    const reading = letters.replaceAll('1', (_one, at: number) =>
      ((choice >> places.indexOf(at)) & 1) === 0 ? 'i' : 'l',
    );
    if (isWord(reading)) return reading;
  }
  return undefined;
}

/** `t` and `s` stand behind apostrophes. */
const isWord = (text: string): boolean => {
  const lower = text.toLowerCase();
  return (
    lower === 't' ||
    lower === 's' ||
    vocabulary.has(lower) ||
    (lower.endsWith('s') && vocabulary.has(lower.slice(0, -1)))
  );
};

const leetContext = 96;
const fewestLeet = 3;

/** Every so many units are looked at, in blocks of so many looks, for so many digits. */
const leetStride = 3;
const leetBlock = 40;
/** Shorter texts are read as a whole. */
const shortText = 256;

/** Kinds of units: signs that stand for letters, digits among them, and letters. All else is 0, `!` and `+` too. */
const digit = 1;
const letter = 2;
const leetKinds = new Uint8Array(0x1_0000);
for (let unit = 0; unit < 128; unit += 1) {
  const char = String.fromCharCode(unit);
  leetKinds[unit] = /[0-9@$]/.test(char) ? digit : /[a-z]/i.test(char) ? letter : 0;
}

function mayBeLeet(text: string): boolean {
  const { length } = text;
  const units = unitsOf(text);
  if (length < shortText) return hasDigits(units, length);
  let digits = 0;
  let looks = 0;
  for (let at = 0; at < length; at += leetStride) {
    if (leetKinds[units[at] as number] === digit && isBesideLetter(units, at, length)) digits += 1;
    looks += 1;
    if (looks < leetBlock && at + leetStride < length) continue;
    if (digits >= fewestLeet && digits * 12 >= looks) return true;
    digits = 0;
    looks = 0;
  }
  return false;
}

const isBesideLetter = (units: Uint16Array, at: number, length: number): boolean =>
  (at > 0 && leetKinds[units[at - 1] as number] === letter) ||
  (at + 1 < length && leetKinds[units[at + 1] as number] === letter);

/** Enough of them for a short text to be read closely: each sign has one beside a letter, which serial numbers have not. */
function hasDigits(units: Uint16Array, length: number): boolean {
  let digits = 0;
  for (let at = 0; at < length; at += 1) {
    if (leetKinds[units[at] as number] === digit && isBesideLetter(units, at, length)) digits += 1;
  }
  return digits >= fewestLeet;
}

/** Digits for letters, where several words have them. A one may stand for i or l, so there are two readings. */
export function decodeLeet(text: string, emit: Emit): boolean {
  if (!mayBeLeet(text)) return true;
  for (const [start, end] of cluster(text, leetSigns(text), leetContext, fewestLeet)) {
    const units = unitsOf(text).slice(start, end);
    const ones: number[] = [];
    readWords(units, ones);
    if (!emit(inPlace('leet', renderUnits(units), start))) return false;
    if (ones.length === 0) continue;
    for (const at of ones) units[at] = small.l;
    if (!emit(inPlace('leet', renderUnits(units), start))) return false;
  }
  return true;
}

/** Where a digit or sign stands as letters do: one or two between letters, or one before or behind two. */
function* leetSigns(text: string): Generator<{ readonly index: number; readonly 0: string }, void> {
  for (let at = 0; at + 2 < text.length;) {
    const length = leetSignAt(text, at);
    if (length > 0) yield { index: at, 0: text.slice(at, at + length) };
    at += Math.max(1, length);
  }
}

const kindAt = (text: string, at: number): number => leetKinds[text.charCodeAt(at)] ?? 0;
const isLetter = (text: string, at: number): boolean => kindAt(text, at) === letter;
/** A six is rarely a letter. */
const isSign = (text: string, at: number): boolean => kindAt(text, at) === digit && text.charCodeAt(at) !== 0x36;
const isFigure = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isWordAt = (text: string, at: number): boolean => isLetter(text, at) || isFigure(text.charCodeAt(at));

/** How long the sign is that begins here; 0 where none does. */
function leetSignAt(text: string, at: number): number {
  if (isLetter(text, at)) {
    if (isSign(text, at + 1)) {
      if (isSign(text, at + 2) && isLetter(text, at + 3)) return 4;
      return isLetter(text, at + 2) ? 3 : 0;
    }
    const isEnd = isSign(text, at + 2) && isFigure(text.charCodeAt(at + 2)) && !isWordAt(text, at + 3);
    return isEnd && isLetter(text, at + 1) ? 3 : 0;
  }
  const isStart = isSign(text, at) && isLetter(text, at + 1) && isLetter(text, at + 2);
  return isStart && !(at > 0 && isWordAt(text, at - 1)) ? 3 : 0;
}

/** Reads every word with a digit or sign in it, and what an apostrophe cuts off. */
function readWords(units: Uint16Array, ones: number[]): void {
  for (let at = 0; at < units.length; at += 1) {
    if (!inLeetWord(units[at])) continue;
    if (isCutOff(units, at)) {
      readLeet(units, at, at + 1, ones);
      continue;
    }
    let end = at;
    let hasSigns = false;
    for (; end < units.length && inLeetWord(units[end]); end += 1)
      hasSigns ||= leetKinds[units[end] as number] !== letter;
    if (hasSigns) readLeet(units, at, end, ones);
    at = end;
  }
}

const inLeetWord = (unit: number | undefined): boolean =>
  unit !== undefined && (leetKinds[unit] !== 0 || unit === 0x21 || unit === 0x2b);

/** A five or seven behind an apostrophe is what `s` and `t` are there. */
function isCutOff(units: Uint16Array, at: number): boolean {
  const before = at > 0 ? units[at - 1] : 0;
  if ((units[at] !== 0x35 && units[at] !== 0x37) || (before !== 0x27 && before !== 0x2019)) return false;
  const next = at + 1 < units.length ? (units[at + 1] as number) : 0;
  return leetKinds[next] !== letter && !isFigure(next);
}

import { unitsOf } from '../text-units.ts';
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

export function turnLetters(text: string, first: number, last: number, emit: Emit): boolean {
  const [start, end] = window(text, first, last);
  const turned = text.slice(start, end).replaceAll(/[a-z]/gi, (letter) => {
    const unit = letter.charCodeAt(0);
    return String.fromCharCode((unit & 0x1f) <= 13 ? unit + 13 : unit - 13);
  });
  return emit(inPlace('rot13', turned, start));
}

export function turnRound(text: string, first: number, last: number, emit: Emit): boolean {
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

/** A one is an i or an l: more of them in a word than this are not told apart. */
const mostOnes = 4;

/** The word with letters for its digits: of its readings the one that is a word, else with `one` for each 1. */
function readLeet(word: string, one: string): string {
  // A sign at the end of a word is what it is.
  const body = word.replace(/[!+]+$/, '');
  const letters = body.replaceAll(/[02-9@$!+]/g, (digit) => leetLetters[digit] ?? digit);
  const known = readOnes(letters);
  // Figures are figures, unless they spell a word.
  if (known === undefined && !/[a-z]/i.test(body)) return word;
  return (known ?? letters.replaceAll('1', one)) + word.slice(body.length);
}

/** The reading of a word with ones that is known. */
function readOnes(letters: string): string | undefined {
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

/** One or two digits between letters, or one before or behind two. */
const leetSign = /[a-z][0-57-9@$]{1,2}[a-z]|(?<![a-z0-9])[0-57-9@$][a-z]{2}|[a-z]{2}[0-57-9](?![a-z0-9])/gi;
/** Words with a digit or sign in them, and what an apostrophe cuts off. */
const leetWord = /(?<=['’])[57](?![a-z0-9])|[a-z0-9@$!+]*[0-9@$!+][a-z0-9@$!+]*/gi;
const leetContext = 96;
const fewestLeet = 3;

/** Every so many units are looked at, in blocks of so many looks, for so many digits. */
const leetStride = 3;
const leetBlock = 40;
/** Shorter texts are read as a whole. */
const shortText = 256;

/** By unit: digits and signs that stand for letters are 1, letters 2, all else 0. */
const leetKinds = new Uint8Array(0x1_0000);
for (let unit = 0; unit < 128; unit += 1) {
  const char = String.fromCharCode(unit);
  leetKinds[unit] = /[0-9@$]/.test(char) ? 1 : /[a-z]/i.test(char) ? 2 : 0;
}

function mayBeLeet(text: string): boolean {
  const { length } = text;
  const units = unitsOf(text);
  if (length < shortText) return hasDigits(units, length);
  let digits = 0;
  let looks = 0;
  for (let at = 0; at < length; at += leetStride) {
    if (leetKinds[units[at] as number] === 1 && isBesideLetter(units, at, length)) digits += 1;
    looks += 1;
    if (looks < leetBlock && at + leetStride < length) continue;
    if (digits >= fewestLeet && digits * 12 >= looks) return true;
    digits = 0;
    looks = 0;
  }
  return false;
}

const isBesideLetter = (units: Uint16Array, at: number, length: number): boolean =>
  (at > 0 && leetKinds[units[at - 1] as number] === 2) || (at + 1 < length && leetKinds[units[at + 1] as number] === 2);

/** Enough of them for a short text to be read closely: each sign has one beside a letter, which serial numbers have not. */
function hasDigits(units: Uint16Array, length: number): boolean {
  let digits = 0;
  for (let at = 0; at < length; at += 1) {
    if (leetKinds[units[at] as number] === 1 && isBesideLetter(units, at, length)) digits += 1;
  }
  return digits >= fewestLeet;
}

/** Digits for letters, where several words have them. A one may stand for i or l, so there are two readings. */
export function decodeLeet(text: string, emit: Emit): boolean {
  if (!mayBeLeet(text)) return true;
  for (const [start, end] of cluster(text, text.matchAll(leetSign), leetContext, fewestLeet)) {
    const part = text.slice(start, end);
    const read = (one: string): string => part.replaceAll(leetWord, (word) => readLeet(word, one));
    const plain = read('i');
    if (!emit(inPlace('leet', plain, start))) return false;
    const other = part.includes('1') ? read('l') : plain;
    if (other !== plain && !emit(inPlace('leet', other, start))) return false;
  }
  return true;
}

// Reads a text once, 32 units at a time, and answers what it may hold: a search for something that it cannot hold need
// not look at it at all. What else is to be known of each unit is added here.

import { folded, isAscii, mayFold, signsByLower, signsByUpper, signsIn } from './signs';

/** Texts of up to so many units are read in one piece, longer ones in pieces of so many. */
export const mostUnits: i32 = 65_536;

/** Where the units of the text at hand are written. Up to 32 units behind the text are written over. */
export const units: usize = memory.data(2 * 65_536 + 64, 16);

/** Where a number stands behind each reading by which texts that differ are told apart. */
export const print: usize = memory.data(4, 4);

/** How many words, parted by spaces and breaks, the text has at most: in ASCII so many, else as many as would fit. */
export const mostWords: usize = memory.data(4, 4);

// What a text may hold beside `text/signs.ts`, bits of `textSign` in TypeScript.
/** Sixteen units in a row that encoders to base64 write, and others among them that look like those. */
const run: i32 = 0x100;
/** Eight units that stand one by one between others of ASCII that are neither letters nor digits. */
const spaced: i32 = 0x200;
/** Four bytes in hex with one unit between each, or eight digits in a row. */
const spelled: i32 = 0x400;
/** Three digits in a row. */
const figure: i32 = 0x800;
/** Forty units without a space. */
const longWord: i32 = 0x1000;
/** A unit that is no single byte. */
const wide: i32 = 0x2000;

// Classes of units, a bit each, by four bits of the unit and by the other four: a unit is of a class that both have.
// Digits have the sign of a byte; letters have more than what else encoders write, and that has more than spaces have.
const digit: i8 = -0x80;
const letterBelow: i8 = 0x40;
const letterAbove: i8 = 0x20;
/** `+`, `-` and `/`, `_`, and what comes of both: `[` and `]`. */
const joint: i8 = 0x10;
const hex: i8 = 4;
const control: i8 = 2;
const blank: i8 = 1;

const hexLetter: i8 = digit | letterBelow | letterAbove | hex;
const anyLetter: i8 = digit | letterBelow | letterAbove;

/**
 * By the lower four bits of a unit. This and what follows stands in memory: numbers that are loaded before a loop stay in
 * registers, those that are written in it are made at each turn.
 */
const lowerBits: usize = memory.data<i8>(
  [
    digit | letterAbove | blank,
    hexLetter,
    hexLetter,
    hexLetter,
    hexLetter,
    hexLetter,
    hexLetter,
    anyLetter,
    anyLetter,
    anyLetter | control,
    letterBelow | letterAbove | control,
    letterBelow | joint | control,
    letterBelow | control,
    letterBelow | joint | control,
    letterBelow,
    letterBelow | joint,
  ],
  16,
);

/** By the upper four bits of those below 128. */
const upperBits: usize = memory.data<i8>(
  [
    control,
    0,
    joint | blank,
    digit,
    letterBelow | hex,
    letterAbove | joint,
    letterBelow | hex,
    letterAbove,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ],
  16,
);

/** For each byte four of its bits; what gives letters the sign of a byte; what gives it all that encoders write; for each unit a byte. */
const splats: usize = memory.data<u64>(
  [
    0x0f0f_0f0f_0f0f_0f0f, 0x0f0f_0f0f_0f0f_0f0f, 0x6060_6060_6060_6060, 0x6060_6060_6060_6060, 0x7070_7070_7070_7070,
    0x7070_7070_7070_7070, 0x00ff_00ff_00ff_00ff, 0x00ff_00ff_00ff_00ff,
  ],
  16,
);

/** Odd numbers that units are multiplied with. */
const factors: usize = memory.data<u32>(
  [
    0x9e37_79b1, 0x9e37_79b1, 0x9e37_79b1, 0x9e37_79b1, 0x85eb_ca6b, 0x85eb_ca6b, 0x85eb_ca6b, 0x85eb_ca6b, 0xc2b2_ae35,
    0xc2b2_ae35, 0xc2b2_ae35, 0xc2b2_ae35, 0x27d4_eb2f, 0x27d4_eb2f, 0x27d4_eb2f, 0x27d4_eb2f,
  ],
  16,
);

/** Controls that break nothing stand below and above those that do, and one behind all other units of ASCII. */
const unseen: usize = memory.data<u64>(
  [
    0x0808_0808_0808_0808, 0x0808_0808_0808_0808, 0x0e0e_0e0e_0e0e_0e0e, 0x0e0e_0e0e_0e0e_0e0e, 0x1111_1111_1111_1111,
    0x1111_1111_1111_1111, 0x7f7f_7f7f_7f7f_7f7f, 0x7f7f_7f7f_7f7f_7f7f,
  ],
  16,
);

/** Stands behind a text. */
const space: i16 = 0x20;

// What is known of the text so far, for one that is read in pieces.
let product1: v128 = i32x4.splat(0);
let product2: v128 = i32x4.splat(0);
let product3: v128 = i32x4.splat(0);
let product4: v128 = i32x4.splat(0);
let all: v128 = i32x4.splat(0);
let before: v128 = i32x4.splat(0);
// Of each class a bit for each of the last 64 units, the latest in the upper half. Digits are letters as well.
let digits: u64 = 0;
let hexes: u64 = 0;
let letters: u64 = 0;
let encoded: u64 = 0;
let others: u64 = 0;
let repeated: u64 = 0;
let sinceSpace: i32 = 0;
let wordCount: i32 = 0;
let length: i32 = 0;
let signs: i32 = 0;

/**
 * Reads `count` units, and all of the text before them if it `goesOn`; then pieces but the last have a multiple of 32
 * units. Answers what the text so far may hold.
 */
export function read(count: i32, goesOn: bool): i32 {
  const factor1 = v128.load(factors);
  const factor2 = v128.load(factors, 16);
  const factor3 = v128.load(factors, 32);
  const factor4 = v128.load(factors, 48);
  const byLower = v128.load(lowerBits);
  const byUpper = v128.load(upperBits);
  const signByLower = v128.load(signsByLower);
  const signByUpper = v128.load(signsByUpper);
  const fourBits = v128.load(splats);
  const toLetters = v128.load(splats, 16);
  const toEncoded = v128.load(splats, 32);
  const byte = v128.load(splats, 48);
  const below = v128.load(unseen);
  const above = v128.load(unseen, 16);
  const toLast = v128.load(unseen, 32);
  const behindAll = v128.load(unseen, 48);
  if (!goesOn) begin(factor1, factor2, factor3, factor4);
  const end = units + ((<usize>count) << 1);
  for (let at: usize = 0; at < 64; at += 16) v128.store(end + at, i16x8.splat(space));
  // Locals stay in registers.
  let a = product1;
  let b = product2;
  let c = product3;
  let d = product4;
  let any = all;
  let single = i8x16.splat(0);
  let controls = i8x16.splat(0);
  let last = before;
  let isDigit = digits;
  let isHex = hexes;
  let isLetter = letters;
  let isEncoded = encoded;
  let isOther = others;
  let isRepeated = repeated;
  let open = sinceSpace;
  let ends = wordCount;
  let longest = 0;
  let runs: u64 = 0;
  let bytes: u64 = 0;
  let figures: u64 = 0;
  let rows: u64 = 0;
  for (let at = units; at < end; at += 64) {
    const one = v128.load(at);
    const two = v128.load(at, 16);
    const three = v128.load(at, 32);
    const four = v128.load(at, 48);
    a = i32x4.mul(v128.xor(a, one), factor1);
    b = i32x4.mul(v128.xor(b, two), factor2);
    c = i32x4.mul(v128.xor(c, three), factor3);
    d = i32x4.mul(v128.xor(d, four), factor4);
    any = v128.or(any, v128.or(v128.or(one, two), v128.or(three, four)));

    // Narrowing takes units for signed ones.
    const x = i8x16.narrow_i16x8_u(i16x8.min_u(one, byte), i16x8.min_u(two, byte));
    const y = i8x16.narrow_i16x8_u(i16x8.min_u(three, byte), i16x8.min_u(four, byte));
    const classX = classify(x, byLower, byUpper, fourBits);
    const classY = classify(y, byLower, byUpper, fourBits);
    const signX = classify(x, signByLower, signByUpper, fourBits);
    single = v128.or(single, v128.or(signX, classify(y, signByLower, signByUpper, fourBits)));
    controls = v128.or(controls, v128.or(i8x16.le_u(x, below), i8x16.le_u(y, below)));
    controls = v128.or(controls, i8x16.le_u(i8x16.sub(x, above), toLast));
    controls = v128.or(controls, i8x16.le_u(i8x16.sub(y, above), toLast));
    controls = v128.or(controls, v128.or(i8x16.eq(x, behindAll), i8x16.eq(y, behindAll)));
    const newDigits = masks(classX, classY);
    const newLetters = masks(i8x16.add_sat_u(classX, toLetters), i8x16.add_sat_u(classY, toLetters));
    isDigit = (isDigit >> 32) | newDigits;
    isLetter = (isLetter >> 32) | newLetters;
    isEncoded = (isEncoded >> 32) | masks(i8x16.add_sat_u(classX, toEncoded), i8x16.add_sat_u(classY, toEncoded));
    isHex = (isHex >> 32) | newDigits | masks(i16x8.shl(classX, 5), i16x8.shl(classY, 5));
    isOther = (isOther >> 32) | ((masks(x, y) | newLetters) ^ 0xffff_ffff_0000_0000);
    isRepeated = (isRepeated >> 32) | masks(i8x16.eq(x, behind(last, x)), i8x16.eq(y, behind(x, y)));
    last = y;

    const twoEncoded = isEncoded & (isEncoded >> 1);
    const fourEncoded = twoEncoded & (twoEncoded >> 2);
    const eightEncoded = fourEncoded & (fourEncoded >> 4);
    runs |= eightEncoded & (eightEncoded >> 8);

    const twoHex = isHex & (isHex >> 1);
    const between = ~isHex & (twoHex >> 1) & (twoHex << 2);
    const threeDigits = isDigit & (isDigit >> 1) & (isDigit >> 2);
    bytes |= (between & (between >> 3) & (between >> 6)) | (threeDigits & (threeDigits >> 3) & (threeDigits >> 5));
    figures |= threeDigits;

    // Of eight such units in a row six have others on either side, four of those two more ahead, each two to four units on.
    const alone = (isOther << 1) & (isOther >> 1) & ~isRepeated;
    const beforeOne = alone & nearAhead(alone);
    const beforeTwo = beforeOne & nearAhead(beforeOne);
    // And somewhere among them are two letters, with one other behind each.
    const letterAndOther = isLetter & (isOther >> 1);
    rows |= u64((letterAndOther & (letterAndOther >> 2)) != 0) & u64(popcnt<u64>(beforeTwo) >= 4);

    const spaces = <u32>(masks(spacesOf(classX), spacesOf(classY)) >> 32);
    const word = open + <i32>ctz<u32>(spaces);
    if (word > longest) longest = word;
    ends += <i32>popcnt<u32>(spaces & ~((spaces << 1) | u32(open == 0)));
    open = spaces == 0 ? open + 32 : <i32>clz<u32>(spaces);
  }
  product1 = a;
  product2 = b;
  product3 = c;
  product4 = d;
  all = any;
  before = last;
  digits = isDigit;
  hexes = isHex;
  letters = isLetter;
  encoded = isEncoded;
  others = isOther;
  repeated = isRepeated;
  sinceSpace = open;
  wordCount = ends;
  length += count;
  if (runs != 0) signs |= run;
  if (rows != 0) signs |= spaced;
  if (bytes != 0) signs |= spelled;
  if (figures != 0) signs |= figure;
  if (longest >= 40) signs |= longWord;
  if (v128.any_true(i16x8.shr_u(any, 8))) signs |= wide;
  signs |= signsIn(single);
  if (v128.any_true(controls) || (!isAscii(any) && mayFold(units, end))) signs |= folded;
  store<u32>(print, mix());
  store<u32>(mostWords, isAscii(any) ? ends + i32(open > 0) : (length >> 1) + 1);
  return signs;
}

function begin(a: v128, b: v128, c: v128, d: v128): void {
  product1 = a;
  product2 = b;
  product3 = c;
  product4 = d;
  all = before = i32x4.splat(0);
  digits = hexes = letters = encoded = others = repeated = 0;
  sinceSpace = wordCount = length = signs = 0;
}

function classify(bytes: v128, byLower: v128, byUpper: v128, fourBits: v128): v128 {
  const lower = i8x16.swizzle(byLower, v128.and(bytes, fourBits));
  const upper = i8x16.swizzle(byUpper, v128.and(i16x8.shr_u(bytes, 4), fourBits));
  return v128.and(lower, upper);
}

/** The signs of 32 bytes, above as many zeros. */
function masks(first: v128, second: v128): u64 {
  return (<u64>(<u32>(i8x16.bitmask(first) | (i8x16.bitmask(second) << 16)))) << 32;
}

/** For each byte the one before it. */
function behind(former: v128, bytes: v128): v128 {
  return i8x16.shuffle(former, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}

/** Places from which one of those is two to four units on. */
function nearAhead(places: u64): u64 {
  return (places >> 2) | (places >> 3) | (places >> 4);
}

/** Spaces and breaks of ASCII have the sign of a byte. */
function spacesOf(classes: v128): v128 {
  return v128.or(i16x8.shl(classes, 6), i16x8.shl(classes, 7));
}

function mix(): u32 {
  const near = v128.xor(v128.xor(product1, i32x4.shr_u(product2, 7)), i32x4.shr_u(product3, 13));
  const far = v128.xor(v128.xor(i32x4.shl(product2, 9), i32x4.shl(product3, 5)), product4);
  const four = v128.xor(v128.xor(near, i32x4.shr_u(product4, 19)), far);
  let mixed = stir(<u32>length, <u32>i32x4.extract_lane(four, 0));
  mixed = stir(mixed, <u32>i32x4.extract_lane(four, 1));
  mixed = stir(mixed, <u32>i32x4.extract_lane(four, 2));
  return stir(mixed, <u32>i32x4.extract_lane(four, 3));
}

function stir(mixed: u32, by: u32): u32 {
  const product = (mixed ^ by) * 0x2c1b_3c6d;
  return product ^ (product >> 15);
}

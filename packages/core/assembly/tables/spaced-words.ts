import { wideUnit } from './text';

/** A text in small letters, whose words are what stands between spaces; with room in front. */
const small: usize = memory.data(32 + 2 * (65_536 + 64), 16) + 32;

/** So many units are read before their words are looked at: most texts are known for harmless by few of them. */
export const stretch: i32 = 128;

/** Where the words of a stretch begin and end, two bytes each; the first one may have begun before it. */
const bounds: usize = memory.data(2 * (128 + 8), 16);
/** 1 where a word goes on behind the stretch, whose beginning is the first bound then. */
let open: usize = 0;

export function beginText(): void {
  open = 0;
}

/**
 * Finds the words that end in a stretch, and answers how many; -1 where there is a letter of which it takes the whole
 * text to know what it is as a small one, unless all are small.
 */
export function findSpacedWords(text: usize, from: i32, to: i32, isLast: boolean, isSmall: boolean): i32 {
  let count = open;
  let inWord = <u64>open;
  for (let at = from; at < to; at += 64) {
    let words = ~spacesFrom(text, <usize>at);
    if (hasWide) {
      if (!isSmall) return -1;
      words &= ~wideSpacesFrom(text, <usize>at);
    }
    if (to - at < 64) words &= ((<u64>1) << (to - at)) - 1;
    count = noteBounds(words ^ ((words << 1) | inWord), at, count);
    inWord = words >>> 63;
  }
  open = count & 1;
  if (isLast && open > 0) store<u16>(count++ << 1, to, bounds);
  return <i32>(count >>> 1);
}

/** Puts the beginning of a word that goes on in front, when all of a stretch have been hashed. */
export function keepOpen(found: i32): void {
  if (open > 0) store<u16>(0, load<u16>((<usize>found) << 2, bounds), bounds);
}

const numbers: usize = memory.data<u8>([0x20, 9, 4]);
const letters: usize = memory.data<u16>([0x41, 25, 0x20]);
/** Whether some of the units that were read last is no single byte. */
let hasWide = false;

/** Writes 64 units in small letters; answers a bit for each that is a space of ASCII. */
function spacesFrom(text: usize, from: usize): u64 {
  const blank = v128.load8_splat(numbers);
  const tab = v128.load8_splat(numbers, 1);
  const toReturn = v128.load8_splat(numbers, 2);
  const large = v128.load16_splat(letters);
  const toLast = v128.load16_splat(letters, 2);
  const caseBit = v128.load16_splat(letters, 4);
  const wide = wideUnit();
  let all = i16x8.splat(0);
  let spaces: u64 = 0;
  for (let part: usize = 0; part < 64; part += 16) {
    const at = (from + part) << 1;
    const a = v128.load(text + at);
    const b = v128.load(text + at, 16);
    all = v128.or(all, v128.or(a, b));
    v128.store(at, v128.or(a, v128.and(i16x8.le_u(i16x8.sub(a, large), toLast), caseBit)), small);
    v128.store(at, v128.or(b, v128.and(i16x8.le_u(i16x8.sub(b, large), toLast), caseBit)), small + 16);
    const byte = i8x16.narrow_i16x8_u(i16x8.min_u(a, wide), i16x8.min_u(b, wide));
    const isSpace = v128.or(i8x16.eq(byte, blank), i8x16.le_u(i8x16.sub(byte, tab), toReturn));
    spaces |= (<u64>i8x16.bitmask(isSpace)) << part;
  }
  hasWide = v128.any_true(i16x8.ge_u(all, wide));
  return spaces;
}

/** The same of spaces that are no ASCII. */
function wideSpacesFrom(text: usize, from: usize): u64 {
  let spaces: u64 = 0;
  for (let part: usize = 0; part < 64; part++) {
    spaces |= (<u64>isWideSpace(load<u16>(text + ((from + part) << 1)))) << part;
  }
  return spaces;
}

function isWideSpace(unit: u32): boolean {
  if (unit < 0x2000) return unit === 0xa0 || unit === 0x1680;
  if (unit <= 0x200a) return true;
  if (unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f) return true;
  return unit === 0x3000 || unit === 0xfeff;
}

/** Writes down where bits are, behind so many others; answers how many there are with them. */
function noteBounds(changes: u64, from: i32, before: usize): usize {
  let count = before;
  for (let left = changes; left !== 0; left &= left - 1) {
    store<u16>(count << 1, from + <i32>ctz(left), bounds);
    count++;
  }
  return count;
}

/** By the number of units, up to four: what they are of eight bytes, the last ones. */
const masks: usize = memory.data<u64>([0, 0xffff_0000_0000_0000, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_0000, -1]);

const mixer: u64 = 0x9e37_79b9_7f4a_7c15;

/** What a word of the stretch hashes to, four units at a time from its end; most words have at most eight. */
export function spacedWordHash(word: i32): u64 {
  const bound = (<usize>word) << 2;
  const start = <usize>load<u16>(bound, bounds);
  const end = <usize>load<u16>(bound, bounds + 2);
  const length = end - start;
  let hash = <u64>length * mixer;
  hash = mixed(hash ^ (load<u64>(end << 1, small - 8) & maskOf(length)));
  hash = mixed(hash ^ (load<u64>(end << 1, small - 16) & maskOf(max(length, 4) - 4)));
  for (let left = length; left > 8; left -= min(left - 8, 4)) {
    hash = mixed(hash ^ (load<u64>((start + left) << 1, small - 24) & maskOf(left - 8)));
  }
  return hash;
}

function maskOf(count: usize): u64 {
  return load<u64>(min(count, 4) << 3, masks);
}

/** So that each bit says something of all. */
export function mixed(hash: u64): u64 {
  const product = hash * mixer;
  return product ^ (product >>> 32);
}

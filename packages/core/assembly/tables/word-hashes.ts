import { noteOddWord } from './odd-words';
import { endOf, lengthOf, letters } from './word-places';

/** What each word hashes to (FNV-1a). */
export const wordHashes: usize = memory.data(4 * 16_384 + 64, 16);

/** So many letters are hashed for four words at a time. */
const row: u32 = 8;

/**
 * By 0 to 8 letters: what their hash begins with where zeros stand in front of them, so that it is that of no letters
 * when the first one comes.
 */
const beginnings: usize = memory.data(4 * 9, 16);
/** By 0 to 8 letters: those of eight bytes that they are, the last ones. */
const masks: usize = memory.data(8 * 9, 16);

const empty: u32 = 0x811c_9dc5;
/** Taken times the prime it is one. */
const inverse: u32 = 0x359c_449b;
let beginning: u32 = empty;
for (let count: usize = 9; count-- > 0;) {
  store<u32>(count << 2, beginning, beginnings);
  beginning *= inverse;
  if (count > 0) store<u64>(count << 3, (<u64>-1) << ((8 - count) << 3), masks);
}

/** Words of more than a row. */
const long: usize = memory.data(2 * 16_384 + 64, 16);

/**
 * Hashes all words, four at a time, by their last eight letters: what counts is where words end, so they stand there, and
 * nothing has to be decided by their lengths. Those that are longer come again.
 */
export function hashWords(count: i32): void {
  for (let word: usize = 0; word < <usize>count; word += 4) {
    const at = word << 2;
    const a = min(lengthOf(at), row);
    const b = min(lengthOf(at + 4), row);
    const c = min(lengthOf(at + 8), row);
    const d = min(lengthOf(at + 12), row);
    const first = rowsOf(endOf(at), endOf(at + 4), a, b);
    const second = rowsOf(endOf(at + 8), endOf(at + 12), c, d);
    v128.store(at, hashRows(beginningsOf(a, b, c, d), first, second), wordHashes);
  }
  hashLong(findLong(count));
}

function findLong(count: i32): usize {
  let found: usize = 0;
  for (let word: usize = 0; word < <usize>count; word++) {
    store<u16>(found << 1, word, long);
    found += <usize>(lengthOf(word << 2) > row);
  }
  // Those that make the last four complete are the last one again.
  const last = found > 0 ? load<u16>(found << 1, long - 2) : 0;
  for (let more: usize = 0; more < 3; more++) store<u16>((found + more) << 1, last, long);
  return found;
}

/** Two rows of each; words of more are left to those who read unit by unit. */
function hashLong(count: usize): void {
  for (let next: usize = 0; next < count; next += 4) {
    const a = longAt(next);
    const b = longAt(next + 1);
    const c = longAt(next + 2);
    const d = longAt(next + 3);
    const e = min(lengthOf(a) - row, row);
    const f = min(lengthOf(b) - row, row);
    const g = min(lengthOf(c) - row, row);
    const h = min(lengthOf(d) - row, row);
    let hash = hashRows(
      beginningsOf(e, f, g, h),
      rowsOf(endOf(a) - row, endOf(b) - row, e, f),
      rowsOf(endOf(c) - row, endOf(d) - row, g, h),
    );
    hash = hashRows(hash, rowsOf(endOf(a), endOf(b), row, row), rowsOf(endOf(c), endOf(d), row, row));
    v128.store32_lane(a, hash, 0, wordHashes);
    v128.store32_lane(b, hash, 1, wordHashes);
    v128.store32_lane(c, hash, 2, wordHashes);
    v128.store32_lane(d, hash, 3, wordHashes);
    if (lengthOf(a) > 2 * row) noteOddWord(a >>> 2);
    if (lengthOf(b) > 2 * row) noteOddWord(b >>> 2);
    if (lengthOf(c) > 2 * row) noteOddWord(c >>> 2);
    if (lengthOf(d) > 2 * row) noteOddWord(d >>> 2);
  }
}

function longAt(next: usize): usize {
  return (<usize>load<u16>(next << 1, long)) << 2;
}

function beginningsOf(a: u32, b: u32, c: u32, d: u32): v128 {
  let hashes = v128.load32_zero((<usize>a) << 2, beginnings);
  hashes = v128.load32_lane((<usize>b) << 2, hashes, 1, beginnings);
  hashes = v128.load32_lane((<usize>c) << 2, hashes, 2, beginnings);
  return v128.load32_lane((<usize>d) << 2, hashes, 3, beginnings);
}

/** Eight bytes up to each of two ends, of which so many letters count. */
function rowsOf(first: usize, second: usize, a: u32, b: u32): v128 {
  const rows = v128.load64_lane(second, v128.load64_zero(first, letters - 8), 1, letters - 8);
  return v128.and(rows, v128.load64_lane((<usize>b) << 3, v128.load64_zero((<usize>a) << 3, masks), 1, masks));
}

/** The prime of the hash, and what a letter is cut out by. */
const factors: usize = memory.data<u32>([0x0100_0193, 0xff]);

/** Goes on with the hashes of four words by eight letters of each. */
function hashRows(begun: v128, ab: v128, cd: v128): v128 {
  const byte = v128.load32_splat(factors, 4);
  const half = v128.shuffle<i32>(ab, cd, 0, 2, 4, 6);
  const rest = v128.shuffle<i32>(ab, cd, 1, 3, 5, 7);
  let hash = goOn(begun, v128.and(half, byte));
  hash = goOn(hash, v128.and(i32x4.shr_u(half, 8), byte));
  hash = goOn(hash, v128.and(i32x4.shr_u(half, 16), byte));
  hash = goOn(hash, i32x4.shr_u(half, 24));
  hash = goOn(hash, v128.and(rest, byte));
  hash = goOn(hash, v128.and(i32x4.shr_u(rest, 8), byte));
  hash = goOn(hash, v128.and(i32x4.shr_u(rest, 16), byte));
  return goOn(hash, i32x4.shr_u(rest, 24));
}

function goOn(hash: v128, letter: v128): v128 {
  return i32x4.mul(v128.xor(hash, letter), v128.load32_splat(factors));
}

import { noteOdd } from './odd-words';
import { bytesAt, caseBit, firstDigit, firstLetter, toLastDigit, toLastLetter, wideByte, wideUnit } from './text';

/** Small letters, and 0 for all digits, a byte each; zeros in front. Between words there may be anything. */
export const letters: usize = memory.data(16 + 32_768 + 64, 16) + 16;

/** Where each word begins and ends, two bytes each. */
export const bounds: usize = memory.data(2 * 32_768 + 64, 16);

const apostrophes: usize = memory.data<u8>([0x27]);

/**
 * Finds what consists of letters, digits, apostrophes and units that are no single byte, 64 units at a time, with a bit
 * for each. Answers how many words there are.
 */
export function findWords(text: usize, length: i32): i32 {
  const small = caseBit();
  const first = firstLetter();
  const toLast = toLastLetter();
  const zero = firstDigit();
  const toNine = toLastDigit();
  const wide = wideByte();
  const most = wideUnit();
  const apostrophe = v128.load8_splat(apostrophes);
  let bound: usize = 0;
  let before: u64 = 0;
  for (let from: usize = 0; from < <usize>length; from += 64) {
    let words: u64 = 0;
    let odd: u64 = 0;
    for (let part: usize = 0; part < 64; part += 16) {
      const unit = bytesAt(text + ((from + part) << 1), most);
      const letter = v128.or(unit, small);
      const isLetter = i8x16.le_u(i8x16.sub(letter, first), toLast);
      const isDigit = i8x16.le_u(i8x16.sub(unit, zero), toNine);
      const isOdd = v128.or(i8x16.eq(unit, apostrophe), i8x16.eq(unit, wide));
      v128.store(from + part, v128.bitselect(letter, zero, isLetter), letters);
      words |= (<u64>i8x16.bitmask(v128.or(v128.or(isLetter, isDigit), isOdd))) << part;
      odd |= (<u64>i8x16.bitmask(isOdd)) << part;
    }
    const left = <usize>length - from;
    if (left < 64) words &= ((<u64>1) << left) - 1;
    const changes = words ^ ((words << 1) | before);
    before = words >>> 63;
    if (odd !== 0) noteOdd(odd & words, changes, bound >>> 1);
    noteBounds(changes, from, bound);
    bound += (<usize>popcnt(changes)) << 1;
  }
  store<u16>(bound, length, bounds);
  const count = (bound + 2) >>> 2;
  // Words are hashed four at a time: those behind the last are empty.
  store<u64>(count << 2, 0, bounds);
  store<u32>(count << 2, 0, bounds + 8);
  return <i32>count;
}

/** Writes down where bits are, four at a time: what is too much is written over. */
function noteBounds(changes: u64, from: usize, bound: usize): void {
  let left = changes;
  for (let at = bound; left !== 0; at += 8) {
    store<u16>(at, from + <usize>ctz(left), bounds);
    left &= left - 1;
    store<u16>(at, from + <usize>ctz(left), bounds + 2);
    left &= left - 1;
    store<u16>(at, from + <usize>ctz(left), bounds + 4);
    left &= left - 1;
    store<u16>(at, from + <usize>ctz(left), bounds + 6);
    left &= left - 1;
  }
}

/** Where a word begins, where it ends, and how many units it has, by the place of its bounds. */
export function startOf(bound: usize): usize {
  return <usize>load<u16>(bound, bounds);
}

export function endOf(bound: usize): usize {
  return <usize>load<u16>(bound, bounds + 2);
}

export function lengthOf(bound: usize): u32 {
  return <u32>load<u16>(bound, bounds + 2) - <u32>load<u16>(bound, bounds);
}

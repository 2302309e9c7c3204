import { bytesAt, caseBit, firstDigit, firstLetter, toLastDigit, toLastLetter, wideByte, wideUnit } from './text';
import { highestOf, sums } from './windows';

/** The small letters, and what kinds of characters they are, a byte each; zeros in front. */
const letters: usize = memory.data(16 + 32_768 + 64, 16) + 16;
const kinds: usize = memory.data(16 + 32_768 + 64, 16) + 16;
/** The kinds of each character and the one before, two bytes for both. */
const pairs: usize = memory.data(16 + 2 * 32_768 + 64, 16) + 16;

/** Where weights are written, a byte each. */
export const characterWeights: usize = memory.data(32_768, 16);

/** The highest sum of a window of what ends at its places: the last three characters, the last four, the kinds of five. */
export function weighCharacters(text: usize, length: i32, window: i32): i32 {
  tellKinds(text, <usize>length);
  weigh(<usize>length);
  return highestOf(length, window);
}

/** What signs are numbered by, and the kinds of what is none. */
const numbers: usize = memory.data<u8>([27, 0x60, 37, 0x7f, 2, 3, 4, 5]);

/** Small letters are of the first kind, large ones of the second, then digits, what is no sign, and what is no single byte. */
function tellKinds(text: usize, length: usize): void {
  const small = caseBit();
  const first = firstLetter();
  const toLast = toLastLetter();
  const zero = firstDigit();
  const toNine = toLastDigit();
  const wide = wideByte();
  const most = wideUnit();
  const less = v128.load8_splat(numbers);
  const behind = v128.load8_splat(numbers, 1);
  const lessBehind = v128.load8_splat(numbers, 2);
  const other = v128.load8_splat(numbers, 3);
  const large = v128.load8_splat(numbers, 4);
  const digit = v128.load8_splat(numbers, 5);
  const blank = v128.load8_splat(numbers, 6);
  const foreign = v128.load8_splat(numbers, 7);
  let last = i8x16.splat(0);
  for (let place: usize = 0; place < length; place += 16) {
    const unit = bytesAt(text + (place << 1), most);
    const isLetter = i8x16.le_u(i8x16.sub(v128.or(unit, small), first), toLast);
    v128.store(place, i8x16.min_u(v128.or(unit, v128.and(isLetter, small)), other), letters);
    let kind = i8x16.sub(i8x16.sub(unit, less), v128.and(i8x16.ge_u(unit, behind), lessBehind));
    kind = v128.bitselect(i8x16.add(large, i8x16.eq(v128.and(unit, small), small)), kind, isLetter);
    kind = v128.bitselect(digit, kind, i8x16.le_u(i8x16.sub(unit, zero), toNine));
    kind = v128.bitselect(blank, kind, i8x16.le_u(unit, small));
    kind = v128.bitselect(foreign, kind, i8x16.eq(unit, wide));
    v128.store(place, kind, kinds);
    const before = i8x16.shuffle(last, kind, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    const two = place << 1;
    v128.store(two, pairOf(i16x8.extend_low_i8x16_u(before), i16x8.extend_low_i8x16_u(kind)), pairs);
    v128.store(two, pairOf(i16x8.extend_high_i8x16_u(before), i16x8.extend_high_i8x16_u(kind)), pairs + 16);
    last = kind;
  }
}

/** Some signs have a seventh bit, which falls on the kind before: tables are trained on that. */
function pairOf(before: v128, kind: v128): v128 {
  return v128.or(i16x8.shl(before, 6), kind);
}

/** What tells features of three, four and five characters from each other; five kinds; and what mixes their bits. */
const masks: usize = memory.data<u32>([0xff_ffff, 0x3c6e_f372, 0x5f83_d9ab, 0x3fff_ffff, 0x9e37_79b1]);
/** The last four characters up to each of four places, the last one first. */
const lastFour: usize = memory.data<u8>([3, 2, 1, 0, 4, 3, 2, 1, 5, 4, 3, 2, 6, 5, 4, 3]);
/** So many bits of a hash are left out to get the slot of its weight. */
const unused: i32 = 17;
/** The slots of the first features of four places: a processor reads two at a time and takes one apart in the meantime. */
const slots: usize = memory.data(16, 16);

function weigh(length: usize): void {
  const ofThree = v128.load32_splat(masks);
  const ofFour = v128.load32_splat(masks, 4);
  const ofFive = v128.load32_splat(masks, 8);
  const fiveKinds = v128.load32_splat(masks, 12);
  const mixer = v128.load32_splat(masks, 16);
  const order = v128.load(lastFour);
  for (let place: usize = 0; place < length; place += 4) {
    const two = place << 1;
    const last = i8x16.swizzle(v128.load(place, letters - 3), order);
    const before = i32x4.shl(v128.load16x4_u(two, pairs - 4), 12);
    const first = i32x4.shl(i32x4.extend_low_i16x8_u(v128.load8x8_u(place, kinds - 4)), 24);
    const shape = v128.and(v128.or(v128.or(v128.load16x4_u(two, pairs), before), first), fiveKinds);
    v128.store(slots, i32x4.shr_u(i32x4.mul(v128.and(last, ofThree), mixer), unused));
    const four = i32x4.shr_u(i32x4.mul(v128.xor(last, ofFour), mixer), unused);
    const five = i32x4.shr_u(i32x4.mul(v128.xor(shape, ofFive), mixer), unused);
    const fourA = i64x2.extract_lane(four, 0);
    const fourB = i64x2.extract_lane(four, 1);
    const fiveA = i64x2.extract_lane(five, 0);
    const fiveB = i64x2.extract_lane(five, 1);
    store<i16>(two, weightsOf(load<u32>(slots), <u32>fourA, <u32>fiveA), sums);
    store<i16>(two, weightsOf(load<u32>(slots, 4), <u32>(fourA >>> 32), <u32>(fiveA >>> 32)), sums + 2);
    store<i16>(two, weightsOf(load<u32>(slots, 8), <u32>fourB, <u32>fiveB), sums + 4);
    store<i16>(two, weightsOf(load<u32>(slots, 12), <u32>(fourB >>> 32), <u32>(fiveB >>> 32)), sums + 6);
  }
}

function weightsOf(three: u32, four: u32, five: u32): i16 {
  return (
    <i16>load<i8>(three, characterWeights) +
    <i16>load<i8>(four, characterWeights) +
    <i16>load<i8>(five, characterWeights)
  );
}

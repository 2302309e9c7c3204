// Signs of what a text may hold, by single units: bits of `textSign` in TypeScript. The first two count as digits.
const atSign: i8 = 1;
const dollar: i8 = 2;
const percent: i8 = 4;
const backslash: i8 = 8;
const ampersand: i8 = 0x10;
const dash: i8 = 0x20;
const numeral: i8 = 0x40;
/** A unit that folding may change. */
export const folded: i32 = 0x80;

/** What units of ASCII have which sign, by their lower four bits and by the upper ones: a unit has a sign that both have. */
export const signsByLower: usize = memory.data<i8>(
  [
    atSign | numeral,
    numeral,
    numeral,
    numeral,
    dollar | numeral,
    percent | numeral,
    ampersand | numeral,
    numeral,
    numeral,
    numeral,
    0,
    0,
    backslash,
    dash,
    0,
    0,
  ],
  16,
);
export const signsByUpper: usize = memory.data<i8>(
  [0, 0, dollar | percent | ampersand | dash, numeral, atSign, backslash, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  16,
);

/** By unit, a byte each: 1 where folding may change a text with it. */
export const folds: usize = memory.data(65_536, 16);

export function isAscii(any: v128): bool {
  return !v128.any_true(i16x8.shr_u(any, 7));
}

/** The signs of all bytes in one. */
export function signsIn(bytes: v128): i32 {
  let eight = i64x2.extract_lane(bytes, 0) | i64x2.extract_lane(bytes, 1);
  eight |= eight >>> 32;
  eight |= eight >>> 16;
  const bits = <i32>(eight | (eight >>> 8)) & 0x7f;
  return (bits & (atSign | dollar)) !== 0 ? (bits & ~(atSign | dollar)) | numeral : bits;
}

/** Whether folding may change some unit between two places. Most texts that are not all ASCII have but a few other units. */
export function mayFold(start: usize, end: usize): bool {
  for (let from = start; from < end; from += 16) {
    if (isAscii(v128.load(from))) continue;
    for (let unit: usize = 0; unit < 16; unit += 2)
      if (load<u8>(<usize>load<u16>(from + unit), folds) !== 0) return true;
  }
  return false;
}

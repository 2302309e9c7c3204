/** So many units a text has at most. */
export const mostWeighed: i32 = 32_768;

/**
 * Where units are written that stand nowhere else in this memory. Whoever weighs a text is told where it begins, in bytes.
 * What is behind it may be anything: whole rows are read at once.
 */
export const copied: usize = memory.data(2 * (32_768 + 64), 16);

/**
 * Numbers that loops compare with or calculate by stand in memory, one byte each: such a number that is loaded before a
 * loop stays in a register, while one that is written down in it is made anew at each turn.
 */
const bytes: usize = memory.data<u8>([0x20, 0x61, 25, 0x30, 9, 0x80, 0]);

export function caseBit(): v128 {
  return v128.load8_splat(bytes);
}

export function firstLetter(): v128 {
  return v128.load8_splat(bytes, 1);
}

/** How far the last letter is from the first. */
export function toLastLetter(): v128 {
  return v128.load8_splat(bytes, 2);
}

export function firstDigit(): v128 {
  return v128.load8_splat(bytes, 3);
}

export function toLastDigit(): v128 {
  return v128.load8_splat(bytes, 4);
}

/** What stands for a unit of more than seven bits, as a byte. */
export function wideByte(): v128 {
  return v128.load8_splat(bytes, 5);
}

/** The same as a unit. */
export function wideUnit(): v128 {
  return v128.load16_splat(bytes, 5);
}

/** Sixteen units as bytes. */
export function bytesAt(units: usize, wide: v128): v128 {
  return i8x16.narrow_i16x8_u(i16x8.min_u(v128.load(units), wide), i16x8.min_u(v128.load(units, 16), wide));
}

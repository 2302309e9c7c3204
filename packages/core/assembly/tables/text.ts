/** So many units a text has at most. */
export const mostWeighed: i32 = 32_768;

/** Where the units of the text at hand are written. What is behind the text may be anything: whole rows are read at once. */
export const units: usize = memory.data(2 * (32_768 + 64), 16);

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

/** Sixteen units from a place on as bytes. */
export function bytesAt(place: usize, wide: v128): v128 {
  const at = place << 1;
  return i8x16.narrow_i16x8_u(i16x8.min_u(v128.load(at, units), wide), i16x8.min_u(v128.load(at, units + 16), wide));
}

// Reads a text, unit by unit, as its UTF-16 stands in memory. Whoever wants something else known of each unit adds it here.

/** Texts of up to so many units are read in one piece. */
export const mostUnits: i32 = 65_536;

/** Where the units of the text at hand are written. What is behind the text may be anything. */
export const units: usize = memory.data(2 * 65_536 + 64);

const few: v128 = i16x8.splat(0xff);

/** 1 when some unit is no single byte, else 0. */
export function isWide(length: i32): i32 {
  let all = i16x8.splat(0);
  const end = units + ((<usize>length) << 1);
  let at = units;
  for (; at + 16 <= end; at += 16) all = v128.or(all, v128.load(at));
  let rest: i32 = v128.any_true(i16x8.gt_u(all, few)) ? 0x100 : 0;
  for (; at < end; at += 2) rest |= load<u16>(at);
  return rest > 0xff ? 1 : 0;
}

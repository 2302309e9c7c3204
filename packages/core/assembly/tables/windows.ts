/** What each place weighs by itself, two bytes each: whoever weighs writes it. There is room for one row more. */
export const sums: usize = memory.data(2 * (32_768 + 64), 16);
/** What the places weigh up to each. They run over, but what two of them in one window differ by does not. */
const totals: usize = memory.data(2 * (32_768 + 64), 16);

/** Where each of eight numbers comes from: from one, two and four places before, and all from the last. */
const moves: usize = memory.data<i8>(
  [
    -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -1,
    -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15,
  ],
  16,
);

/** The highest sum of so many places in a row, a multiple of eight; of all places where there are fewer. */
export function highestOf(count: i32, window: i32): i32 {
  if (count < window) return sumOf(count);
  const width = (<usize>window) << 1;
  const end = (<usize>count) << 1;
  // Places behind the last weigh as much as those that fall out of the window with them: nothing changes there.
  v128.store(end, v128.load(end - width, sums), sums);
  const byOne = v128.load(moves);
  const byTwo = v128.load(moves, 16);
  const byFour = v128.load(moves, 32);
  const last = v128.load(moves, 48);
  let total = i16x8.splat(0);
  let highest = total;
  for (let at: usize = 0; at < end; at += 16) {
    let sum = v128.load(at, sums);
    sum = i16x8.add(sum, i8x16.swizzle(sum, byOne));
    sum = i16x8.add(sum, i8x16.swizzle(sum, byTwo));
    sum = i16x8.add(sum, i8x16.swizzle(sum, byFour));
    sum = i16x8.add(sum, total);
    total = i8x16.swizzle(sum, last);
    v128.store(at, sum, totals);
    if (at >= width) highest = i16x8.max_s(highest, i16x8.sub(sum, v128.load(at - width, totals)));
    else highest = total;
  }
  highest = i16x8.max_s(highest, i8x16.swizzle(highest, byFour));
  highest = i16x8.max_s(highest, i8x16.swizzle(highest, byTwo));
  highest = i16x8.max_s(highest, i8x16.swizzle(highest, byOne));
  return i16x8.extract_lane_s(highest, 7);
}

function sumOf(count: i32): i32 {
  let sum = 0;
  for (let place: usize = 0; place < <usize>count; place++) sum += load<i16>(place << 1, sums);
  return sum;
}

import { mostWeighed } from './clean-text.ts';

/** What each place weighs of the text that was weighed last. Texts are weighed one after the other, so one room serves all. */
export const windowSums = new Int16Array(mostWeighed);

/** The highest sum of so many places in a row; of all places where there are fewer. */
export function highestSum(count: number, window: number): number {
  let sum = 0;
  const first = Math.min(count, window);
  for (let place = 0; place < first; place += 1) sum += windowSums[place] as number;
  let highest = sum;
  for (let place = first; place < count; place += 1) {
    sum += (windowSums[place] as number) - (windowSums[place - window] as number);
    if (sum > highest) highest = sum;
  }
  return highest;
}

import { beginText, findSpacedWords, keepOpen, mixed, spacedWordHash, stretch } from './spaced-words';

/** Fewer words repeat each other by chance, and more are not looked at. */
const fewestWords: i32 = 60;
const mostWords: i32 = 4_000;

/**
 * The share of groups of three words that have been seen before: something lower where it does not come to `least`, and -1
 * where there is a letter of which it takes the whole text to know what it is as a small one.
 * @param isSmall whether all letters are small but those of ASCII
 * @param most the text has no more words than so many
 */
export function shareOfRepeats(text: usize, length: i32, least: f64, isSmall: boolean, most: i32): f64 {
  beginText();
  beginGroups(mostGroups(most, least));
  let words = 0;
  let distinct = 0;
  let last: u64 = 0;
  let beforeLast: u64 = 0;
  for (let from = 0; from < length && words < mostWords; from += stretch) {
    const to = min(from + stretch, length);
    const found = findSpacedWords(text, from, to, to === length, isSmall);
    if (found < 0) return -1;
    // At most every second character that is left ends a word.
    const enough = mostGroups(min(most, words + found + ((length - to) >> 1) + 1), least);
    for (let next = 0; next < found && words < mostWords; next++) {
      const word = spacedWordHash(next);
      words++;
      if (words > 2) distinct += addGroup(mixed(mixed(beforeLast ^ rotl(last, 1)) ^ word));
      if (distinct > enough) return 0;
      beforeLast = last;
      last = word;
    }
    keepOpen(found);
  }
  return words < fewestWords ? 0 : 1 - <f64>distinct / <f64>(words - 2);
}

const rounding: f64 = 1e-9;

/** More different groups of so many words are too many; what is exactly at the limit is left to the share itself. */
function mostGroups(words: i32, least: f64): i32 {
  return <i32>Math.floor((1 - least) * <f64>max(0, min(mostWords, words) - 2) + rounding);
}

/** What groups hash to, from the slot on that a hash says; 0 in slots that are free. */
const groups: usize = memory.data(8 * 8_192, 16);
let lastSlot: usize = 0;

/** Texts that are known for harmless by few groups use but the beginning: there is room for so many, and one more. */
function beginGroups(most: i32): void {
  lastSlot = min<usize>(8_192, (<usize>1) << (33 - <usize>clz(most + 1))) - 1;
  memory.fill(groups, 0, (lastSlot + 1) << 3);
}

/** 1 for a group that was not there before. */
function addGroup(hash: u64): i32 {
  const group = hash | 1;
  for (let slot = <usize>(hash >>> 1) & lastSlot; ; slot = (slot + 1) & lastSlot) {
    const there = load<u64>(slot << 3, groups);
    if (there === group) return 0;
    if (there !== 0) continue;
    store<u64>(slot << 3, group, groups);
    return 1;
  }
}

import { endOf, letters, startOf } from './word-places';
import { wordHashes } from './word-hashes';

/** Words that are hashed one unit after the other: such with an apostrophe, with a unit that is no single byte, very long ones. */
const odd: usize = memory.data(2 * 32_768 + 64, 16);
let count: usize = 0;

/** Notes the words with units that are odd, by the bounds that there are in front of those and among them. */
export function noteOdd(places: u64, changes: u64, before: usize): void {
  for (let left = places; left !== 0; left &= left - 1) {
    const bounds = before + <usize>popcnt(changes & (((<u64>2) << ctz(left)) - 1));
    noteOddWord((bounds - 1) >>> 1);
  }
}

/** Notes a word, unless it was the last one as well. */
export function noteOddWord(word: usize): void {
  if (count > 0 && load<u16>(count << 1, odd - 2) === word) return;
  store<u16>(count << 1, word, odd);
  count++;
}

const empty: u32 = 0x811c_9dc5;
const prime: u32 = 0x0100_0193;
const apostrophe: u32 = 0x27;

/** Hashes the words that were noted, of so many. Apostrophes alone are no word: answers how many words are left. */
export function hashOddWords(text: usize, words: i32): i32 {
  let hasEmpty = false;
  for (let next: usize = 0; next < count; next++) {
    const word = (<usize>load<u16>(next << 1, odd)) << 2;
    const hash = hashOf(text, startOf(word), endOf(word));
    store<u32>(word, hash, wordHashes);
    hasEmpty = hasEmpty || hash === empty;
  }
  count = 0;
  return hasEmpty ? leaveOutEmpty(words) : words;
}

function hashOf(text: usize, from: usize, to: usize): u32 {
  let hash = empty;
  for (let at = from; at < to; at++) {
    const unit = <u32>load<u16>(text + (at << 1));
    if (unit === apostrophe) continue;
    hash = (hash ^ (unit < 0x80 ? <u32>load<u8>(at, letters) : unit)) * prime;
  }
  return hash;
}

function leaveOutEmpty(words: i32): i32 {
  let left: usize = 0;
  for (let word: usize = 0; word < <usize>words; word++) {
    const hash = load<u32>(word << 2, wordHashes);
    store<u32>(left << 2, hash, wordHashes);
    left += <usize>(hash !== empty);
  }
  return <i32>left;
}

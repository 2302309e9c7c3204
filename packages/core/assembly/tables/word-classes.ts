/** By the upper bits of a hash, one bit each: whether a word with a class may have it. These stay at hand. */
export const mayHaveClass: usize = memory.data(2_048, 16);

const slots: u32 = 4_096;
/** The hashes of words with a class, from the slot on that their lower bits say, and their classes. */
export const classHashes: usize = memory.data(4 * 4_096, 16);
export const classes: usize = memory.data(4_096, 16);

/** 0 for most words without a class, else 1. */
export function hintOf(hash: u32): usize {
  return (<usize>load<u8>(<usize>(hash >>> 21), mayHaveClass) >> ((hash >>> 18) & 7)) & 1;
}

/** The class of a word by its hash, from 1 to 63; 0 for a word of none. */
export function classOf(hash: u32): u32 {
  let slot = <usize>(hash & (slots - 1));
  while (load<u8>(slot, classes) !== 0 && load<u32>(slot << 2, classHashes) !== hash) {
    slot = (slot + 1) & <usize>(slots - 1);
  }
  return load<u8>(slot, classes);
}

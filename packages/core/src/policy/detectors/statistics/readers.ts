import { hashCharacters, hashWords, weighCharacters, weighWords } from './features.ts';
import type { Reader } from './highest-window.ts';

/** Forty words are a paragraph: longer stretches thin an attack out, shorter ones tell too little. */
export const wordReader: Reader = {
  hash: hashWords,
  weigh: weighWords,
  window: 40,
  least: 12,
  fewest: 3,
  fewestDistinct: 3,
};
/** The same words, of what tools answer: many are short, and say little of who is told to do something. */
export const orderReader: Reader = { ...wordReader, least: 20 };
/** The tails that searches find are some eighty characters long. */
export const characterReader: Reader = {
  hash: hashCharacters,
  weigh: weighCharacters,
  window: 64,
  least: 64,
  fewest: 64,
  fewestDistinct: 24,
};

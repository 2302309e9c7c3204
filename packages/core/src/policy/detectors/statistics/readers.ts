import { hashCharacters, hashClasses, hashWords, weighCharacters, weighClasses, weighWords } from './features.ts';
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
/** The tails that searches find are some eighty characters long. */
export const characterReader: Reader = {
  hash: hashCharacters,
  weigh: weighCharacters,
  window: 64,
  least: 64,
  fewest: 64,
  fewestDistinct: 24,
};
/** Of the words of a paragraph every second or third does some work in an attack. */
export const classReader: Reader = {
  hash: hashClasses,
  weigh: weighClasses,
  window: 24,
  least: 12,
  fewest: 4,
  fewestDistinct: 4,
};

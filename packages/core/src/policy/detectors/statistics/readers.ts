import { hashCharacters, hashWords } from './features.ts';
import type { Reader } from './highest-window.ts';

/** Forty words are a paragraph: longer stretches thin an attack out, shorter ones tell too little. */
export const wordReader: Reader = { hash: hashWords, window: 40, least: 12, fewest: 3 };
/** The tails that searches find are some eighty characters long. */
export const characterReader: Reader = { hash: hashCharacters, window: 64, least: 64, fewest: 64 };

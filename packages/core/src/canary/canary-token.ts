/** Characters of a token: 36 to the 8th are 2.8 * 10^12 tokens, so that none is met by chance. */
export const canaryLength = 8;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** @param randomBelow an integer from 0 up to and not including its argument, unpredictable */
export function createCanaryToken(randomBelow: (limit: number) => number): string {
  let token = '';
  for (let index = 0; index < canaryLength; index += 1) token += alphabet[randomBelow(alphabet.length)] ?? '';
  return token;
}

/** How a token stands in a text that a model reads. */
export const renderCanary = (token: string): string => `(ref:${token})`;

/** The longest spelling that `findCanaries` knows, with room for blanks. */
export const longestCanary = 24;

const spellings = /\(ref:\s?([0-9a-z]{8})\)|"_gw"\s?:\s?"([0-9a-z]{8})"/g;

/** Tokens in a text, in prose or in structured data. Cheap for texts without any. */
export function findCanaries(text: string): readonly string[] {
  if (!text.includes('(ref:') && !text.includes('"_gw"')) return none;
  return Array.from(text.matchAll(spellings), ([, inProse, inData]) => inProse ?? inData ?? '');
}

const none: readonly string[] = Object.freeze([]);

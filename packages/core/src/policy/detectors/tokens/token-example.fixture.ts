import { base62, checksumLength, crc32, endsWithCrc32 } from './checksums-of-tokens.ts';
import type { Checksum } from './token-row.ts';
import { charsOf, partsOfShape, type ShapePart } from './token-shape.ts';

/*
 * Tokens of a shape, drawn by lot from a seed, so that no text of ours looks like a leak: they are never written down.
 */

/** The same numbers for the same seed, from 0 up to but not including `below`. */
function createDice(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Run = Exclude<ShapePart, string>;

function drawRun({ alphabet, least }: Run, dice: (below: number) => number): string {
  const chars = charsOf(alphabet);
  return Array.from({ length: least }, () => chars[dice(chars.length)]).join('');
}

/** A checksum of the alphabet's own is written over the end. */
const sealed = (token: string, checksum: Checksum | undefined): string => {
  if (checksum !== endsWithCrc32) return token;
  const body = token.slice(token.lastIndexOf('_') + 1, -checksumLength);
  return token.slice(0, -checksumLength) + base62(crc32(body));
};

/** One token of the shape, the shortest there is. */
export function exampleOf(shape: string, seed = 1, checksum?: Checksum): string {
  const dice = createDice(seed);
  const text = partsOfShape(shape)
    .map((part) => (typeof part === 'string' ? part : drawRun(part, dice)))
    .join('');
  return sealed(text, checksum);
}

const isRun = (part: ShapePart): part is Run => typeof part !== 'string' && part.least > 0;

/** The same without one character of its longest part; undefined where nothing is long enough to miss one. */
export function shortened(shape: string, seed = 1): string {
  const dice = createDice(seed);
  const parts = partsOfShape(shape);
  const longest = parts.filter(isRun).toSorted((a, b) => b.least - a.least)[0];
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const text = drawRun(part, dice);
      return part === longest ? text.slice(1) : text;
    })
    .join('');
}

/** What documentation writes instead: one character again and again. */
export const placeheld = (shape: string): string =>
  partsOfShape(shape)
    .map((part) => {
      if (typeof part === 'string') return part;
      const chars = charsOf(part.alphabet);
      return (chars.includes('x') ? 'x' : chars.includes('X') ? 'X' : '0').repeat(part.least);
    })
    .join('');

import type { Dice } from './seeded.ts';
import texts from './tool-carriers.json' with { type: 'json' };

/*
 * What tools answer, with a place for a sentence or two: `{part}`. Attacks and harmless texts stand in the same
 * surroundings, so that a table learns nothing from those.
 */

const { words } = texts;
const carriers = Object.values(texts.frames);

/** The text among what a tool answers; every sixth stands alone, and half of what tools say of themselves. */
export function surround(dice: Dice, part: string, isOfTool = false): string {
  if (dice.between(0, 5) < (isOfTool ? 3 : 1)) return part;
  return dice.fill(dice.pick(dice.pick(carriers)), { ...words, part: [part] });
}

/** Sentences begin with capitals, and nothing is left of empty parts. */
export const capitals = (text: string): string =>
  text
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ([,.;:])/g, '$1')
    .trim()
    .replaceAll(/(?:^|[.!?] )[a-z]/g, (start) => start.toUpperCase());

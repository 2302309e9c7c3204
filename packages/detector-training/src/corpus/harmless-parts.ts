import type { Sample } from '../sample.ts';
import { seeded } from './seeded.ts';
import { capitals, surround } from './tool-carriers.ts';
import texts from './harmless-parts.json' with { type: 'json' };

/*
 * Harmless sentences full of what planted orders are made of: requests of people to people, directions for
 * agents that those who run them wrote, what tools tell of their use, and texts about models.
 */

const { words, frames } = texts;
const perPart = 14;
const isHeld = (index: number): boolean => index % 3 === 1;

/** Some 1,600 texts; every third sentence is held out. */
export function harmlessParts(): readonly Sample[] {
  const dice = seeded(43);
  return Object.entries(frames).flatMap(([kind, parts]) =>
    parts.flatMap((part, index) =>
      Array.from({ length: perPart }, (_, round): Sample => {
        // Every third has another sentence of its kind and half behind it.
        const text =
          round % 3 === 2 ? `${part} ${dice.pick(parts.filter((_, other) => isHeld(other) === isHeld(index)))}` : part;
        return {
          id: `harmless-part-${kind}-${index}-${round}`,
          text: surround(dice, capitals(dice.fill(text, words)), kind === 'words of tools'),
          label: 'benign',
          category: kind,
          file: 'harmless parts of tool results',
          channel: 'tool',
          half: isHeld(index) ? 'held' : 'tuned',
        };
      }),
    ),
  );
}

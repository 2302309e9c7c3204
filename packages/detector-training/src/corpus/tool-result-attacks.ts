import type { Sample } from '../sample.ts';
import { seeded } from './seeded.ts';
import texts from './tool-result-attacks.json' with { type: 'json' };

/*
 * Orders planted in what tools answer: carriers of ten kinds, ways to phrase an order, and what is
 * wanted. Every second way was not looked at while rules were written; those are the held half.
 */

const { words, phrasings, frames } = texts;
const perPairing = 1;

/** 960 attacks: each way to phrase an order in each kind of carrier. */
export function toolResultAttacks(): readonly Sample[] {
  const dice = seeded(11);
  return phrasings.flatMap((phrasing, index) =>
    Object.entries(frames).flatMap(([category, surroundings]) =>
      Array.from({ length: perPairing }, (_, round): Sample => {
        const order = dice.fill(phrasing, words);
        return {
          id: `tool-attack-${index}-${category}-${round}`,
          text: dice.fill(dice.pick(surroundings), { ...words, order: [order] }),
          label: 'attack',
          category,
          file: index >= phrasings.length - 2 ? 'plain requests in tool results' : 'orders in tool results',
          channel: 'tool',
          half: index % 2 === 0 ? 'tuned' : 'held',
        };
      }),
    ),
  );
}

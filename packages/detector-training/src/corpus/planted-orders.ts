import type { Sample } from '../sample.ts';
import { seeded, type Words } from './seeded.ts';
import { capitals, surround } from './tool-carriers.ts';
import texts from './planted-orders.json' with { type: 'json' };

/*
 * Orders in data by the technique that is to make a model follow them: each technique in many words, each
 * in surroundings that harmless texts stand in as well. Every third wording is held out.
 */

const { words, frames } = texts;

/** Every fourth of what is wanted is left to texts that are held out. */
const isHeldGoal = (index: number): boolean => index % 4 === 1;
const vocabulary = (isHeld: boolean): Words => {
  const goals = words.goal.filter((_, index) => isHeldGoal(index) === isHeld);
  return { ...words, goal: goals, goal2: goals };
};
const tuned = vocabulary(false);
const held = vocabulary(true);
const tunedRounds = 12;
const heldRounds = 4;

/** Some 1,400 attacks, the same ones in every run; every third wording is held out, and others with goals that are. */
export function plantedOrders(): readonly Sample[] {
  const dice = seeded(41);
  return Object.entries(frames).flatMap(([technique, phrasings]) =>
    phrasings.flatMap((phrasing, index) => {
      const rounds = index % 3 === 1 ? 0 : tunedRounds;
      return Array.from({ length: rounds + heldRounds }, (_, round): Sample => ({
        id: `planted-${technique}-${index}-${round}`,
        text: surround(
          dice,
          capitals(dice.fill(phrasing, round < rounds ? tuned : held)),
          technique === 'said of the tool',
        ),
        label: 'attack',
        category: technique,
        file: 'planted orders',
        channel: 'tool',
        half: round < rounds ? 'tuned' : 'held',
      }));
    }),
  );
}

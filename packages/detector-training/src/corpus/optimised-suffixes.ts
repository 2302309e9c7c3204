import type { Sample } from '../sample.ts';
import { seeded, type Dice } from './seeded.ts';
import texts from './optimised-suffixes.json' with { type: 'json' };

/*
 * Requests with a tail that a search over a model's tokens has found: pieces of words, of programs and
 * of markup in a row that no person would write, since only their effect was looked for.
 */

/** As tokenisers cut them; a blank in front belongs to the piece. */
const pieces: readonly string[] = texts.pieces.split('|');
const perRequest = 3;

const drawTail = (dice: Dice, length: number): string => Array.from({ length }, () => dice.pick(pieces)).join('');

export function optimisedSuffixes(): readonly Sample[] {
  const dice = seeded(13);
  const requests = texts.requests.flatMap((request) => texts.deeds.map((deed) => request.replace('{deed}', deed)));
  return requests.flatMap((request, index) =>
    Array.from({ length: perRequest }, (_, round): Sample => {
      const length = dice.between(14, 26);
      // The search starts at exclamation marks, and some of them stay.
      const left = round === 0 ? dice.between(0, 6) : 0;
      const tail = drawTail(dice, length);
      return {
        id: `optimised-${index}-${round}`,
        text: `${request} ${tail}${' !'.repeat(left)}`,
        label: 'attack',
        category: 'optimised suffix',
        file: 'optimised suffixes',
        channel: 'user',
        half: index % 2 === 0 ? 'tuned' : 'held',
      };
    }),
  );
}

/** Tails by themselves, for training: a request before one is like any other. */
export function optimisedTails(count: number): readonly Sample[] {
  const dice = seeded(31);
  return Array.from({ length: count }, (_, index): Sample => {
    const id = `optimised-tail-${index}`;
    const [category, file] = ['optimised tail', 'optimised tails'];
    return {
      id,
      text: drawTail(dice, dice.between(14, 26)),
      label: 'attack',
      category,
      file,
      channel: 'user',
      half: 'tuned',
    };
  });
}

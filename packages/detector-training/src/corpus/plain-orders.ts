import type { Sample } from '../sample.ts';
import { seeded, type Words } from './seeded.ts';
import { capitals, surround } from './tool-carriers.ts';
import lookAlikes from './plain-order-look-alikes.json' with { type: 'json' };
import plain from './plain-orders.json' with { type: 'json' };

/*
 * Orders in data that say little more than what is to be done: plain deeds, wishes put into the user's mouth, facts to be
 * remembered, steps tied to other tools, tools that push others aside. And what is harmless in the same words: requests of people to people,
 * notices, and what honest tools tell of their use. Every third wording is held out.
 */

const perWording = 16;
const isHeld = (index: number): boolean => index % 3 === 1;

function texts(
  rows: Readonly<Record<string, readonly string[]>>,
  vocabulary: Words,
  { seed, ...fields }: Pick<Sample, 'label' | 'file'> & { readonly seed: number },
): readonly Sample[] {
  const dice = seeded(seed);
  return Object.entries(rows).flatMap(([category, wordings]) =>
    wordings.flatMap((wording, index) =>
      Array.from({ length: perWording }, (_, round): Sample => ({
        id: `${fields.file}-${category}-${index}-${round}`,
        text: surround(dice, capitals(dice.fill(wording, vocabulary)), category === 'said of the tool'),
        category,
        channel: 'tool',
        half: isHeld(index) ? 'held' : 'tuned',
        ...fields,
      })),
    ),
  );
}

/** Some 650 attacks, the same ones in every run. */
export const plainOrders = (): readonly Sample[] =>
  texts(plain.frames, plain.words, { seed: 97, label: 'attack', file: 'plain orders' });

/** Some 700 harmless texts, the same ones in every run. */
export const plainOrderLookAlikes = (): readonly Sample[] =>
  texts(lookAlikes.frames, lookAlikes.words, { seed: 101, label: 'benign', file: 'plain order look-alikes' });

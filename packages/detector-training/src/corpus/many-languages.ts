import type { Sample } from '../sample.ts';
import { seeded } from './seeded.ts';
import languages from './many-languages.json' with { type: 'json' };

/*
 * The same attacks in fourteen languages, and what people write in them with the same words and mean no harm. A row is one
 * sentence of each kind, `orders` those that stand in data for the model that reads it; texts are one or two of them.
 */

const rounds = 8;

/** Every fourth language is held out: what is known of the others has to carry over. */
const halfOf = (index: number): NonNullable<Sample['half']> => (index % 4 === 3 ? 'held' : 'tuned');

function texts(
  kind: 'attacks' | 'orders' | 'harmless',
  fields: Pick<Sample, 'label' | 'file' | 'channel'>,
): readonly Sample[] {
  const dice = seeded(71);
  return languages.flatMap((row, index) =>
    Array.from({ length: rounds }, (_, round): Sample => {
      const [first, second] = [dice.pick(row[kind]), dice.pick(row[kind === 'orders' ? 'harmless' : kind])];
      return {
        id: `${kind}-${row.language}-${round}`,
        text: first === second ? first : kind === 'orders' ? `${second} ${first}` : `${first} ${second}`,
        category: row.language,
        half: halfOf(index),
        ...fields,
      };
    }),
  );
}

/** Some 450 texts, the same ones in every run. */
export const manyLanguages = (): readonly Sample[] => [
  ...texts('attacks', { label: 'attack', file: 'attacks in many languages', channel: 'user' }),
  ...texts('orders', { label: 'attack', file: 'orders in many languages', channel: 'tool' }),
  ...texts('harmless', { label: 'benign', file: 'requests in many languages', channel: 'user' }),
  ...texts('harmless', { label: 'benign', file: 'results in many languages', channel: 'tool' }),
];

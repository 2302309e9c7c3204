import type { Sample } from '../sample.ts';
import { seeded } from './seeded.ts';
import texts from './tool-result-look-alikes.json' with { type: 'json' };

/* What tools answer every day, full of orders that are meant for people. */

const { words, frames } = texts;
const perTemplate = 8;

/** Some 700 texts of thirteen kinds. */
export function toolResultLookAlikes(): readonly Sample[] {
  const dice = seeded(12);
  return Object.entries(frames).flatMap(([kind, templates]) =>
    templates.flatMap((template, index) =>
      Array.from({ length: perTemplate }, (_, round): Sample => {
        // Tool results are longer than a sentence: another of the kind stands behind it.
        const text = round % 2 === 0 ? template : `${template}\n\n${dice.pick(templates)}`;
        return {
          id: `tool-harmless-${kind}-${index}-${round}`,
          text: dice.fill(text, words),
          label: 'benign',
          category: kind,
          file: 'tool results for people',
          channel: 'tool',
          half: index % 2 === 0 ? 'tuned' : 'held',
        };
      }),
    ),
  );
}

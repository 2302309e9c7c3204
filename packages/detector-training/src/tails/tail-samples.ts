import { seeded } from '../corpus/seeded.ts';
import type { Sample } from '../sample.ts';

/** Searches look for tails of some twenty tokens. */
const [fewest, most] = [14, 26];

/**
 * Tails as a search over the tokens of a vocabulary leaves them: any token behind any other. Each stands behind one
 * of the requests, or by itself where there are none.
 */
export function tailSamples(
  name: string,
  vocabulary: readonly string[],
  count: number,
  requests: readonly string[] = [''],
  seed = 29,
): readonly Sample[] {
  const dice = seeded(seed);
  return Array.from({ length: count }, (_, index): Sample => {
    const tail = Array.from({ length: dice.between(fewest, most) }, () => dice.pick(vocabulary)).join('');
    return {
      id: `tail-${name}-${index}`,
      text: `${dice.pick(requests)} ${tail}`.trimStart(),
      label: 'attack',
      category: `tails of ${name}`,
      file: `optimised ${name}`,
      channel: 'user',
    };
  });
}

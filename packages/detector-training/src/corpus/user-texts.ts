import type { Sample } from '../sample.ts';
import directAttacks from './direct-attacks.json' with { type: 'json' };
import directEveryday from './direct-everyday.json' with { type: 'json' };
import directLookAlikes from './direct-look-alikes.json' with { type: 'json' };
import directSideways from './direct-sideways.json' with { type: 'json' };
import directTechniques from './direct-techniques.json' with { type: 'json' };
import longPersonas from './long-personas.json' with { type: 'json' };
import partsToPlay from './parts-to-play.json' with { type: 'json' };
import { seeded, type Words } from './seeded.ts';
import sidewaysLookAlikes from './sideways-look-alikes.json' with { type: 'json' };
import textsAbove from './texts-above.json' with { type: 'json' };

/*
 * What users write, put together from interchangeable parts, so that what is learned from it is how such texts are built and
 * not how one of them was phrased. The parts stand in JSON files: sentences by category, and words for their places.
 */

/** Texts that are built from one file of parts. */
interface FramedTexts extends Pick<Sample, 'label' | 'file'> {
  readonly seed: number;
  /** What the ids begin with. */
  readonly name: string;
  /** By category. */
  readonly frames: Readonly<Record<string, readonly string[]>>;
  readonly words: Words;
  readonly perFrame: number;
}

/** So many texts of each frame, the same ones in every run. Every other frame is held out. */
function fillFrames({ seed, name, label, file, frames, words, perFrame }: FramedTexts): readonly Sample[] {
  const dice = seeded(seed);
  return Object.entries(frames).flatMap(([category, patterns]) =>
    patterns.flatMap((frame, index) =>
      Array.from({ length: perFrame }, (_, round): Sample => ({
        id: `${name}-${category}-${index}-${round}`,
        text: tidy(dice.fill(frame, words)),
        label,
        category,
        file,
        channel: 'user',
        half: index % 2 === 0 ? 'tuned' : 'held',
      })),
    ),
  );
}

/** Sentences begin with capitals, and nothing is left of empty parts. */
const tidy = (text: string): string =>
  text
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .replaceAll(/(?:^|[.!?:] )[a-z]/g, (start) => start.toUpperCase());

const direct: readonly FramedTexts[] = [
  // Ways to get a model away from its orders.
  { seed: 23, name: 'direct', label: 'attack', file: 'direct attacks', perFrame: 24, ...directAttacks },
  // The same wishes by technique, for those that no phrase gives away: games, tests, stories, forged talks, sums of parts.
  { seed: 47, name: 'technique', label: 'attack', file: 'direct techniques', perFrame: 14, ...directTechniques },
  // Attacks from the side: questions around the instructions, forged ends of the prompt, bribes, threats, words cut in pieces.
  { seed: 83, name: 'sideways', label: 'attack', file: 'direct sideways', perFrame: 12, ...directSideways },
  // What people ask models and write to each other, full of the words of attacks.
  { seed: 29, name: 'look-alike', label: 'benign', file: 'direct look-alikes', perFrame: 34, ...directLookAlikes },
  // The turns of phrase of attacks from the side, without harm.
  {
    seed: 89,
    name: 'sideways-look-alike',
    label: 'benign',
    file: 'sideways look-alikes',
    perFrame: 12,
    ...sidewaysLookAlikes,
  },
  // Harmless requests in the manner of attacks: the same games, stories, claims and dangerous words, for ordinary ends.
  { seed: 53, name: 'everyday', label: 'benign', file: 'everyday requests', perFrame: 16, ...directEveryday },
];

const personas: readonly FramedTexts[] = [
  // Personas as they are passed around: a page that makes a being without limits out of a model.
  { seed: 61, name: 'long-persona', label: 'attack', file: 'long personas', perFrame: 30, ...longPersonas },
  // Parts to play in stories, games and lessons, as long and as detailed.
  { seed: 67, name: 'part', label: 'benign', file: 'parts to play', perFrame: 40, ...partsToPlay },
  { seed: 73, name: 'above', label: 'benign', file: 'texts above', perFrame: 36, ...textsAbove },
];

/** Some 5,300 texts. */
export const directTexts = (): readonly Sample[] => direct.flatMap(fillFrames);

/** Some 840 long texts. */
export const personaTexts = (): readonly Sample[] => personas.flatMap(fillFrames);

import type { Sample } from '../sample.ts';
import { seeded, type Words } from './seeded.ts';

/** What users write, built from sentences with parts to choose. */
export interface FramedTexts extends Pick<Sample, 'label' | 'file'> {
  readonly seed: number;
  /** What the ids begin with. */
  readonly name: string;
  /** By category. */
  readonly frames: Readonly<Record<string, readonly string[]>>;
  readonly words: Words;
  readonly perFrame: number;
}

/** So many texts of each frame, the same ones in every run. Every other frame is held out. */
export function fillFrames({ seed, name, label, file, frames, words, perFrame }: FramedTexts): readonly Sample[] {
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

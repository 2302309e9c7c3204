import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An answer of an endpoint with what a person says of it. */
export interface LabelledAnswer {
  /** Whose way of speaking it has. */
  readonly source: string;
  readonly half: string;
  readonly isRefusal: boolean;
  readonly text: string;
}

const folder = join(import.meta.dirname, '../../../core/fixtures/judged-responses');

/** Those that may be looked at and trained with, in the order of their files. */
export const trainedAnswers = (): readonly LabelledAnswer[] =>
  readdirSync(folder)
    .toSorted()
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => parseAnswer(JSON.parse(line) as Record<string, unknown>, file)),
    )
    .filter(({ half }) => half === 'tuned');

function parseAnswer({ half, label, text }: Record<string, unknown>, source: string): LabelledAnswer {
  if (typeof half !== 'string' || typeof text !== 'string') throw new Error(`${source}: needs "half" and "text"`);
  return { source, half, isRefusal: label === 'refused', text };
}

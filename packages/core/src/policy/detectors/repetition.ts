import { mostWordsIn, unitsOf } from '../finder/text-units.ts';
import type { TextDetector } from './detector.ts';
import { tableKernel } from './linear-classifier/table-kernel.ts';

/** Fewer words, of which each takes a character and a space, repeat each other by chance. */
const fewestWords = 60;

/** What is further on is not looked at. */
const mostUnits = 32_000;

/** The share of groups of three words that have been seen before: floods and runaway answers. */
export const repetition: TextDetector = {
  kind: 'text',
  name: 'repetition',
  type: 'REPETITION',
  description: 'Texts that say the same again and again',
  score(text, least = 0) {
    if (text.length < 2 * fewestWords - 1) return 0;
    const most = mostWordsIn(text);
    if (most < fewestWords) return 0;
    const end = Math.min(text.length, mostUnits);
    return (
      tableKernel().shareOfRepeats(unitsOf(text), end, least, false, most) ?? shareOfSmall(text.slice(0, end), least)
    );
  },
};

function shareOfSmall(text: string, least: number): number {
  const small = text.toLowerCase();
  return tableKernel().shareOfRepeats(unitsOf(small), small.length, least, true, (small.length >> 1) + 1) ?? 0;
}

import type { TextDetector } from './detector.ts';

/** Fewer words repeat each other by chance. */
const fewestWords = 60;
const mostWords = 4_000;

/** The share of groups of three words that have been seen before: floods and runaway answers. */
export const repetition: TextDetector = {
  kind: 'text',
  name: 'repetition',
  type: 'REPETITION',
  description: 'Texts that say the same again and again',
  score(text) {
    const words =
      text
        .slice(0, mostWords * 8)
        .toLowerCase()
        .match(/\S+/g)
        ?.slice(0, mostWords) ?? [];
    if (words.length < fewestWords) return 0;
    const seen = new Set<string>();
    for (let at = 2; at < words.length; at += 1) seen.add(`${words[at - 2]} ${words[at - 1]} ${words[at]}`);
    return 1 - seen.size / (words.length - 2);
  },
};

/** What is known of an answer by its phrases. */
export interface PhraseReading {
  readonly stance: 'refused' | 'complied' | 'unclear';
  readonly reason: string;
  readonly isOutright: boolean;
}

const token = /[\p{L}\p{N}']+|[.!?:\n"]/gu;
const digits = /\p{N}+/gu;
/** Scripts that put no blank between words: two and three of their letters are read in the place of words. */
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}/gu;

/** The words that are read, and those of them that count once more for standing at the beginning. */
const mostWords = 160;
const opening = 25;
const denseOpening = 300;

/**
 * What speaks for or against a refusal, each once: words and pairs of words, those of the opening apart, the length, and what
 * phrases say of the answer.
 * @param folded as `foldAnswer` leaves it
 */
export function stanceFeatures(folded: string, { stance, reason, isOutright }: PhraseReading): readonly string[] {
  const words = (folded.match(token) ?? []).slice(0, mostWords).map((word) => word.replaceAll(digits, '0'));
  const features = new Set([`s ${stance}`, `r ${reason}`, `o ${isOutright} ${stance}`, `l ${lengthStep(folded)}`]);
  for (const [at, word] of words.entries()) {
    const pair = `${words[at - 1] ?? ''} ${word}`;
    features.add(`w ${word}`).add(`p ${pair}`);
    if (at < opening) features.add(`b ${word}`).add(`c ${pair}`);
  }
  for (const run of folded.slice(0, denseOpening).match(dense) ?? [])
    for (let at = 0; at + 1 < run.length; at += 1)
      features.add(`d ${run.slice(at, at + 2)}`).add(`d ${run.slice(at, at + 3)}`);
  return [...features];
}

const lengthStep = (folded: string): number => Math.min(6, Math.floor(Math.log2(1 + folded.length / 40)));

const prime = 0x0100_0193;

/** FNV-1a over UTF-16 units. */
export function hashFeature(feature: string): number {
  let hash = 0x811c_9dc5 | 0;
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), prime);
  return hash;
}

/** Fewer features say too little to be weighed in full. */
export const fewestFeatures = 10;

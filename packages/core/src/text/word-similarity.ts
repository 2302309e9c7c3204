import type { Severity } from '@portcullis/contracts/records';

const word = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(word) ?? []);

/** Jaccard index of the words of two texts: 1 when both have the same words, 0 when they share none. */
export function wordSimilarity(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.size === 0 && right.size === 0) return 1;
  const shared = [...left].filter((one) => right.has(one)).length;
  return shared / (left.size + right.size - shared);
}

/** How grave it is that a text which a model follows became another one. Bounds belong to the milder side. */
export function severityOfSimilarity(similarity: number): Severity {
  if (similarity < 0.3) return 'Critical';
  if (similarity < 0.5) return 'High';
  return similarity < 0.7 ? 'Medium' : 'Low';
}

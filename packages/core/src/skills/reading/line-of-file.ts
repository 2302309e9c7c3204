import type { PackageFile } from '../package/read-package.ts';
import type { Gap } from '../package/collapse-blanks.ts';
import { lineAt, lineStarts } from './line-starts.ts';

/** Of the text that was asked for last: findings come file by file. */
let known: { readonly text: string; readonly starts: Int32Array } = { text: '', starts: lineStarts('') };

/** The line of the file, from 1, that a place of its text stands in. */
export function lineOfFile({ text = '', gaps = [] }: PackageFile, at: number): number {
  if (known.text !== text) known = { text, starts: lineStarts(text) };
  return lineAt(known.starts, at) + missingLinesBefore(gaps, at);
}

/** How many lines of the file are missing in its text before a place; there may be as many gaps as lines. */
export function missingLinesBefore(gaps: readonly Gap[], at: number): number {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gaps[middle] as Gap)[0] <= at) low = middle + 1;
    else high = middle;
  }
  return gaps[low - 1]?.[1] ?? 0;
}

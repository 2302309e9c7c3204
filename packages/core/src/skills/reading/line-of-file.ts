import type { PackageFile } from '../package/read-package.ts';
import { lineAt, lineStarts } from './line-starts.ts';

/** Of the text that was asked for last: findings come file by file. */
let known: { readonly text: string; readonly starts: Int32Array } = { text: '', starts: lineStarts('') };

/** The line of the file, from 1, that a place of its text stands in. */
export function lineOfFile({ text = '', gaps = [] }: PackageFile, at: number): number {
  if (known.text !== text) known = { text, starts: lineStarts(text) };
  return lineAt(known.starts, at) + (gaps.findLast(([from]) => from <= at)?.[1] ?? 0);
}

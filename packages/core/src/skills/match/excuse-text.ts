import type { Unit } from '../reading/unit.ts';

/** What parts commands of a shell from each other: what a pipe joins is one. In data the end of a text does so, too. */
const commandEnd = /(?<!\\)\n|&&|\|\||;/g;
const valueEnd = /\n|&&|\|\||;|"\s{0,2}[,}\]]/g;
const lineEnd = /\n/g;
const ends: Partial<Record<Unit['language'], RegExp>> = {
  shell: commandEnd,
  powershell: commandEnd,
  config: valueEnd,
};

/** A statement is looked at so far to either side. */
const farthest = 400;

export const isComment = ({ isCode, language }: Unit): boolean => !isCode && language !== 'markdown';

/**
 * Of code, what may excuse a match: the lines that it stands in, of a shell its command, and no comment. Words anywhere else
 * are cheap to write.
 * @param comments of the file, in their order
 */
export function excuseText(
  text: string,
  { start, end, language }: Unit,
  comments: readonly Unit[],
  [first, last]: readonly [first: number, last: number],
): string {
  const limit = ends[language] ?? lineEnd;
  const least = Math.max(start, first - farthest);
  const before = Array.from(text.slice(least, first).matchAll(limit)).at(-1);
  const from = before === undefined ? least : least + before.index + before[0].length;
  const most = Math.max(last, Math.min(end, last + farthest));
  limit.lastIndex = 0;
  const behind = limit.exec(text.slice(last, most))?.index;
  limit.lastIndex = 0;
  return withoutComments(text, comments, from, behind === undefined ? most : last + behind);
}

function withoutComments(text: string, comments: readonly Unit[], from: number, to: number): string {
  let kept = '';
  let at = from;
  for (let index = firstEndingBehind(comments, from); index < comments.length; index += 1) {
    const { start, end } = comments[index] as Unit;
    if (start >= to) break;
    kept += text.slice(at, Math.max(at, start));
    at = Math.max(at, end);
  }
  return kept + text.slice(at, Math.max(at, to));
}

/** Comments do not overlap, so that their ends are in order as well. */
function firstEndingBehind(comments: readonly Unit[], from: number): number {
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle] as Unit).end > from) high = middle;
    else low = middle + 1;
  }
  return low;
}

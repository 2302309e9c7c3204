/** A text as it is read: without the blanks that only push words apart, or out of sight. */
export interface CollapsedText {
  readonly text: string;
  /** From these places of `text` on, its lines stand so many lines further down in the file. */
  readonly gaps: readonly Gap[];
  /** Places of `text` before which so much was empty that no reader scrolls there. */
  readonly padded: readonly Padding[];
}

export type Gap = readonly [at: number, lines: number];

export interface Padding {
  readonly at: number;
  readonly kind: 'lines' | 'blanks';
}

/** Blanks between two words of a line that stay as they are; more become one. */
const keptBlanks = 3;
/** Line ends in a row, and columns before the first word of a line, that stay. */
const keptLines = 3;
const keptIndent = 100;
/** Nobody formats so: what stands behind it is out of sight. */
const hidingLines = 50;
const hidingBlanks = 200;

const lineEnds: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x85, 0x2028, 0x2029]);
const otherBlanks: ReadonlySet<number> = new Set([
  0x09, 0x0b, 0x0c, 0x20, 0xa0, 0x1680, 0x180e, 0x115f, 0x1160, 0x202f, 0x205f, 0x2800, 0x3000, 0x3164, 0xffa0,
]);
const isBlank = (code: number): boolean => otherBlanks.has(code) || (code >= 0x2000 && code <= 0x200a);
const isSpace = (code: number): boolean => (code <= 0x20 || code >= 0x85 ? isBlank(code) || lineEnds.has(code) : false);

/** In one pass; the text itself where there is nothing to collapse. */
export function collapseBlanks(text: string): CollapsedText {
  const pieces: string[] = [];
  const gaps: Gap[] = [];
  const padded: Padding[] = [];
  let [length, from, missing] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if (!isSpace(text.charCodeAt(at))) continue;
    const start = at;
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    if (at - start <= keptBlanks) continue;
    const run = readRun(text, start, at);
    if (!run.isLong) continue;
    pieces.push(text.slice(from, start), run.kept);
    length += start - from + run.kept.length;
    from = at;
    if (at === text.length) break;
    if (run.missingLines > 0) gaps.push([length, (missing += run.missingLines)]);
    if (run.hides !== undefined) padded.push({ at: length, kind: run.hides });
  }
  if (from === 0) return { text, gaps, padded };
  pieces.push(text.slice(from));
  return { text: pieces.join(''), gaps, padded };
}

interface Run {
  readonly isLong: boolean;
  /** What stays of it. */
  readonly kept: string;
  readonly missingLines: number;
  readonly hides: Padding['kind'] | undefined;
}

function readRun(text: string, start: number, end: number): Run {
  let [lines, others, last, widest, since] = [0, 0, start, 0, start];
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (!lineEnds.has(code)) continue;
    widest = Math.max(widest, at - since);
    since = at + 1;
    last = at + 1;
    if (code === 0x0a) lines += 1;
    // A carriage return before a line feed ends no line of its own.
    else if (code !== 0x0d || text.charCodeAt(at + 1) !== 0x0a) others += 1;
  }
  const indent = end - last;
  const inLine = lines + others === 0 && start > 0;
  const hides =
    lines + others >= hidingLines ? 'lines' : Math.max(widest, indent) >= hidingBlanks ? 'blanks' : undefined;
  if (inLine) return { isLong: indent > keptBlanks, kept: ' ', missingLines: 0, hides };
  const keptEnds = Math.min(keptLines, lines + (lines === 0 && others > 0 ? 1 : 0));
  const isLong = lines + others > keptLines || indent > keptIndent || widest > keptIndent;
  const kept = '\n'.repeat(keptEnds) + text.slice(Math.max(last, end - keptIndent), end);
  return { isLong, kept, missingLines: Math.max(0, lines - keptEnds), hides };
}

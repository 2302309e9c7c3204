import { unitsOf } from './text-units.ts';
import { mapping, spanning, type Emit } from './piece.ts';
import { separateWords } from './vocabulary.ts';
import { UnitWriter } from './fold.ts';

/** So many single letters in a row are no initials. */
const fewestLetters = 8;
/** Every so many units a text is looked at for the beginning of such a row. */
const stride = 8;
/** Longer words are several. */
const longestWord = 16;
/** As much as is separated into words. */
const maxSeparated = 1_024;

/** By unit: letters and digits of ASCII are 1, what may stand between them 2, all else 0. */
const kinds = new Uint8Array(0x1_0000);
for (let unit = 0; unit < 128; unit += 1) kinds[unit] = /[a-z0-9]/i.test(String.fromCharCode(unit)) ? 1 : 2;
const kindOf = (text: string, at: number): number => kinds[text.charCodeAt(at)] ?? 0;

/** Letters that stand one by one: `i g n o r e   a l l`, `i.g.n.o.r.e`. */
export function decodeSpacedLetters(text: string, emit: Emit): boolean {
  const { length } = text;
  let units = unitsOf(text);
  for (let at = 0; at + 4 < length; at += stride) {
    const kind = kinds[units[at] as number] as number;
    const next = kinds[units[at + 1] as number] as number;
    // One letter between two separators that are the same, or about to be; all at once, since words end where they will.
    const other = ((kind + next) ^ 3) | ((kinds[units[at + 2] as number] as number) ^ kind);
    if ((other | ((units[at + kind] as number) ^ (units[at + kind + 2] as number))) !== 0) continue;
    const first = kind === 1 ? at : at + 1;
    const separator = text.charCodeAt(first + 1);
    if (kindOf(text, first + 1) !== 2 || kindOf(text, first + 2) !== 1 || text.charCodeAt(first + 3) !== separator)
      continue;
    const start = backToStart(text, first, separator);
    const row = readRow(text, start, separator);
    if (row === undefined) continue;
    if (!emit(mapping('spaced', row.text, row.offsets))) return false;
    const longest = Math.max(0, ...row.text.split(/\s+/).map((word) => word.length));
    const separated =
      longest > longestWord ? row.text.slice(0, maxSeparated).replaceAll(/[a-z]+/gi, separate) : row.text;
    if (separated !== row.text && !emit(spanning('spaced', separated, start, row.end))) return false;
    at = Math.max(at, row.end - stride);
    units = unitsOf(text);
  }
  return true;
}

const separate = (run: string): string => (run.length > longestWord ? (separateWords(run) ?? run) : run);

/** The first letter of the row; at most three separators stand between two letters. */
function backToStart(text: string, from: number, separator: number): number {
  let start = from;
  for (;;) {
    let at = start - 1;
    while (at >= 0 && start - at <= 3 && text.charCodeAt(at) === separator) at -= 1;
    const isLone = at === 0 || text.charCodeAt(at - 1) === separator || kindOf(text, at - 1) !== 1;
    if (at < 0 || at === start - 1 || text.charCodeAt(at) === separator || !isLone) return start;
    start = at;
  }
}

/** Written to until a row is one: most are not. */
let spare = new UnitWriter(64);

/** Joins the letters: one separator holds them apart, more stand for a space between words. */
function readRow(text: string, start: number, separator: number) {
  const writer = spare;
  writer.clear();
  let letters = 0;
  let at = start;
  let end = start;
  while (at < text.length && text.charCodeAt(at) !== separator) {
    let gap = at + 1;
    while (gap < text.length && gap - at <= 3 && text.charCodeAt(gap) === separator) gap += 1;
    // Where something other than letters is held apart by dots, words are by spaces.
    const isNextWord = gap === at + 1 && kindOf(text, gap) === 2 && kindOf(text, gap + 1) === 1;
    if (gap === at + 1 && gap < text.length && !isNextWord) break;
    writer.write(text.charCodeAt(at), at);
    letters += 1;
    end = at + 1;
    if (isNextWord || gap - at > 2) writer.write(0x20, at + 1);
    at = isNextWord ? gap + 1 : gap;
  }
  if (letters < fewestLetters) return undefined;
  spare = new UnitWriter(64);
  return { ...writer.finish(end), end };
}

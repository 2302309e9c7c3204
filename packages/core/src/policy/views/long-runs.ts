import { base32Values, base64Values, packBits, readText } from './bytes.ts';
import { hasMediaSignature } from './media-signatures.ts';
import { spanning, type Emit } from './piece.ts';
import { StringExtractor } from './extract-strings.ts';
import { CutText, type Unpacked } from './cut-text.ts';

/** Runs from this length on are files, keys or data rather than words, and are read as what they hold. */
export const fewestInLongRun = 1_024;
/** A text is looked at in such distances for a run that is so long. */
const stride = fewestInLongRun >> 1;
/** So much of a run is looked at in a step; digits of every encoding come out even. */
const chunk = 16_384;
/** So many places are looked at in a step for the beginning of a run. */
const looksInAStep = 128;
/** Encoders break lines at 60, 64 or 76 characters. */
const shortestLine = 60;
/** So much of a run stays at either end for patterns that begin before it or end behind it. */
const keptAtAnEnd = 128;
/** What is taken for random, or for words, is told of so many characters. */
const judged = 1_024;

type Encoding = 'base64' | 'base32' | 'hex';

const inRun = Uint8Array.from({ length: 0x80 }, (_, unit) => ((base64Values[unit] ?? -1) >= 0 ? 1 : 0));
const isInRun = (text: string, at: number): boolean => inRun[text.charCodeAt(at)] === 1;

/**
 * Reads each long run of base64, base32 or hex once, as what it holds: the texts in it are emitted, and what is data
 * stands no more in the text that is answered. Letters in a row that are no data stay. It stops when `emit` wants no more.
 */
export function* unpackRuns(text: string, emit: Emit): Generator<undefined, Unpacked | undefined> {
  const cuts = new CutText(text);
  let looks = 0;
  let read = 0;
  for (let at = stride; at < text.length; at += stride) {
    if ((looks += 1) % looksInAStep === 0) yield;
    // Where a line ends, the next one is looked at.
    let place = at;
    while (place < at + 2 && isLineEnd(text, place)) place += 1;
    if (!isInRun(text, place)) continue;
    const run = yield* findRun(text, place, read);
    read = run.end;
    at = Math.max(at, read);
    if (run.end - run.start >= fewestInLongRun && !(yield* readRun(text, run, cuts, emit))) break;
  }
  return cuts.finish();
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** The run around a place, over the ends of its lines; it begins at `least` or behind it. */
function* findRun(text: string, place: number, least: number): Generator<undefined, Run> {
  let lineStart = startOfLine(text, place, least);
  const start = startOfRun(text, lineStart, least);
  let end = place;
  for (let steps = 1; ; steps += 1) {
    if (steps % chunk === 0) yield;
    if (isInRun(text, end)) {
      end += 1;
      continue;
    }
    let next = end;
    while (next < end + 2 && isLineEnd(text, next)) next += 1;
    if (next === end || end - lineStart < shortestLine || !isInRun(text, next)) return { start, end };
    lineStart = end = next;
  }
}

function startOfLine(text: string, place: number, least: number): number {
  let start = place;
  while (start > least && isInRun(text, start - 1)) start -= 1;
  return start;
}

/** Lines before that are as long as encoders make them belong to the run. */
function startOfRun(text: string, lineStart: number, least: number): number {
  for (let start = lineStart; ;) {
    let end = start;
    while (end > least && start - end < 2 && isLineEnd(text, end - 1)) end -= 1;
    const line = startOfLine(text, end, least);
    if (end === start || end - line < shortestLine) return start;
    start = line;
  }
}

const isLineEnd = (text: string, at: number): boolean => text.charCodeAt(at) === 0x0a || text.charCodeAt(at) === 0x0d;

/** Reads a run chunk by chunk; false when no more is wanted. */
function* readRun(text: string, { start, end }: Run, cuts: CutText, emit: Emit): Generator<undefined, boolean> {
  let held = '';
  let encoding: Encoding | undefined;
  let stretches = new StringExtractor();
  let isFile = false;
  const emitAll = (found: readonly string[]): boolean =>
    found.every((said) => emit(spanning(encoding ?? 'base64', said, start, end)));
  for (let at = start; at < end; at += chunk) {
    const to = Math.min(at + chunk, end);
    const digits = held + text.slice(at, to).replaceAll(/[\r\n]+/g, '');
    const now = encodingOf(digits, encoding);
    if (now !== encoding && encoding !== undefined) {
      if (!emitAll(stretches.end())) return false;
      stretches = new StringExtractor();
    }
    encoding = now;
    const skipped = at === start && now === 'base64' ? misaligned(digits) : 0;
    const whole = to === end ? digits.length : digits.length - ((digits.length - skipped) % 8);
    held = digits.slice(whole);
    const bytes = decode(digits.slice(skipped, whole), now);
    if (at === start) isFile = hasMediaSignature(bytes);
    if (!emitAll(stretches.push(bytes))) return false;
    const first = Math.max(at, start + keptAtAnEnd);
    const last = Math.min(to, end - keptAtAnEnd);
    for (let part = first; part < last; part += judged) {
      const behind = Math.min(part + judged, last);
      if (isData(text, part, behind, isFile)) cuts.add(part, behind);
    }
    yield;
  }
  return emitAll(stretches.end());
}

/** Hex and base32 are told by what they leave out; what is neither is base64. */
function encodingOf(digits: string, before: Encoding | undefined): Encoding {
  if (before !== 'base64' && before !== 'base32' && /^[0-9a-fA-F]*$/.test(digits)) return 'hex';
  return before !== 'base64' && /^[A-Z2-7]*$/.test(digits) ? 'base32' : 'base64';
}

/** Characters in front of a text in base64 that do not belong to it: what stands right before it may be of its letters. */
function misaligned(digits: string): number {
  const from = Math.min(512, (digits.length >> 3) << 2);
  const isTextFrom = (skipped: number) =>
    readText(Buffer.from(digits.slice(from + skipped, from + skipped + 128), 'base64')) !== undefined;
  return Math.max(0, [0, 1, 2, 3].findIndex(isTextFrom));
}

const decode = (digits: string, encoding: Encoding): Uint8Array =>
  encoding === 'base32' ? packBits(digits, base32Values, 5) : Buffer.from(digits, encoding);

/** By unit: small letter, capital, digit, and what words may be joined with. */
const kinds = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  return /[a-z]/.test(char) ? 1 : /[B-Z]/.test(char) ? 2 : /\d/.test(char) ? 3 : /[-_+/]/.test(char) ? 4 : 0;
});

/** Random characters of base64 are of all kinds; in a file it may be any but words. */
function isData(text: string, from: number, to: number, isFile: boolean): boolean {
  const counts = [0, 0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const kind = kinds[text.charCodeAt(at)] ?? 0;
    counts[kind] = (counts[kind] as number) + 1;
  }
  const share = (kind: number): number => (counts[kind] as number) / (to - from);
  if (share(4) > 0.1) return false;
  if (isFile) return share(1) < 0.65 && share(2) < 0.65;
  return share(1) > 0.2 && share(2) > 0.2 && share(3) > 0.06;
}

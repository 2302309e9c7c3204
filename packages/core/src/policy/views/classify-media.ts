import { base64Values } from './bytes.ts';
import { hasMediaSignature } from './media-signatures.ts';
import { StringExtractor } from './extract-strings.ts';

/** What a text in base64 is said to be: a file that begins as its kind does, or sound and numbers that may begin anyhow. */
export type MediaKind = 'file' | 'samples';

/** Characters that are read in a step; digits of base64 come out even. */
const chunk = 16_384;
/** So many are told from words at a time: enough that random ones never look like them. */
const judged = 128;
/** Shorter samples cannot be told from words. */
const fewestSamples = 64;
/** Random characters are of one case in about two of five places, words in nearly all. */
const mostOfOneCase = 0.65;

/** By unit: small letter, capital, anything else that base64 is written with. A stands for zeros, of which files have many. */
const kinds = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/.test(char)) return 1;
  if (/[B-Z]/.test(char)) return 2;
  return (base64Values[unit] ?? -1) >= 0 || /[=\r\n]/.test(char) ? 3 : 0;
});

/**
 * Reads a text that stands where a dialect has media, from `from` on: the texts among its bytes, such as those of a document or in
 * what a camera wrote. Undefined when it is no media by its bytes and letters, regardless of its declared type, so that it is
 * read as what it is.
 */
export function* classifyMedia(
  text: string,
  from: number,
  kind: MediaKind,
): Generator<undefined, readonly string[] | undefined> {
  const stretches = new StringExtractor();
  const found: string[] = [];
  for (let [at, end] = [from, from]; at < text.length; at = end) {
    // Few digits cannot be told from words: they go with those before them.
    end = text.length - at < chunk + judged ? text.length : at + chunk;
    const part = text.slice(at, end);
    if (!isMixed(part) || (kind === 'samples' && text.length - from < fewestSamples)) return undefined;
    const bytes = Buffer.from(part, 'base64');
    if (at === from && kind === 'file' && !hasMediaSignature(bytes)) return undefined;
    found.push(...stretches.push(bytes));
    yield;
  }
  return [...found, ...stretches.end()];
}

/** True when all of it is base64, and no stretch of it is words. Stretches overlap by half. */
function isMixed(part: string): boolean {
  let from = 0;
  do {
    const to = Math.min(from + judged, part.length);
    if (!isMixedBetween(part, Math.max(0, to - judged), to)) return false;
    from += judged / 2;
  } while (from + judged / 2 < part.length);
  return true;
}

function isMixedBetween(part: string, from: number, to: number): boolean {
  let [small, capital] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const kind = kinds[part.charCodeAt(at)] ?? 0;
    if (kind === 0) return false;
    if (kind === 1) small += 1;
    else if (kind === 2) capital += 1;
  }
  const most = mostOfOneCase * (to - from);
  return small <= most && capital <= most;
}

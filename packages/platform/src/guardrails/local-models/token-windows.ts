/** Tokens that neighbouring windows of one text share, so that what stands across a cut is seen whole. */
const overlap = 64;

/**
 * The tokens of a text in windows of at most `room` tokens, in order. They overlap where the room is more than twice
 * the overlap. A text without tokens has no window.
 */
export function splitTokens(tokens: readonly number[], windowSize: number): readonly (readonly number[])[] {
  const step = windowSize > 2 * overlap ? windowSize - overlap : windowSize;
  const windows: (readonly number[])[] = [];
  for (let at = 0; at < tokens.length; at += step) {
    windows.push(tokens.slice(at, at + windowSize));
    if (at + windowSize >= tokens.length) break;
  }
  return windows;
}

/** What a tokenizer puts around a text: found by comparing one text with them and without. */
export function findFrame(
  framed: readonly number[],
  bare: readonly number[],
): { readonly before: readonly number[]; readonly after: readonly number[] } | undefined {
  for (let at = 0; at + bare.length <= framed.length; at += 1) {
    if (bare.every((token, place) => framed[at + place] === token))
      return { before: framed.slice(0, at), after: framed.slice(at + bare.length) };
  }
  return undefined;
}

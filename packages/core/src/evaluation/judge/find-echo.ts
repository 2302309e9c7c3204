/** Words with their places. */
const wordsOf = (text: string): readonly { readonly word: string; readonly at: number }[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({ word: word.toLowerCase(), at: index }));

const mostWords = 5_000;

/** The longest run of words that an answer has in common with another text: so many words from this place on. */
export function longestEcho(answer: string, original: string): { readonly words: number; readonly at: number } {
  const said = wordsOf(answer).slice(0, mostWords);
  const given = wordsOf(original).slice(0, mostWords);
  let before = new Uint16Array(given.length + 1);
  let best = { words: 0, at: 0 };
  for (const [index, { word }] of said.entries()) {
    const now = new Uint16Array(given.length + 1);
    for (let at = 0; at < given.length; at += 1) {
      if (given[at]?.word !== word) continue;
      const length = (before[at] ?? 0) + 1;
      now[at + 1] = length;
      if (length > best.words) best = { words: length, at: said[index - length + 1]?.at ?? 0 };
    }
    before = now;
  }
  return best;
}

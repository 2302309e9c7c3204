/** As much of an answer is read as decides: its beginning, and of long ones the end. */
const head = 6_000;
const tail = 1_500;

/** Marks over Latin, Greek and Cyrillic letters; those of other scripts are part of their letters. */
const accents = /[\u0300-\u036f]/g;

/** Letters without accents, in texts and in the phrases that are looked for in them. */
export const foldAccents = (text: string): string => text.normalize('NFD').replaceAll(accents, '').normalize('NFC');

/** An answer in lower case with straight quotes, single blanks and without emphasis; line breaks stay. */
export function foldAnswer(answer: string): string {
  const cut = answer.length > head + tail ? `${answer.slice(0, head)}\n${answer.slice(-tail)}` : answer;
  return foldAccents(cut.normalize('NFKC').toLowerCase())
    .replaceAll(/[\u2018\u2019\u201b\u02bc\u00b4`]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replaceAll(/[\u2013\u2014]/g, ' - ')
    .replaceAll(/\*{1,3}|_{2}|[\u200b-\u200d\ufeff]/g, '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}

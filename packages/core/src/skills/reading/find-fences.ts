import { languageOfFence, type Language } from '../package/file-kind.ts';
import { isExcepted, introducesBadExample } from './polarity.ts';

/** Code that stands in a document. */
export interface Fence {
  readonly start: number;
  readonly end: number;
  readonly language: Language;
  /** The sentence before it takes it as what not to do. */
  readonly isWarning: boolean;
}

/** Longer marks are looked for by so much of them: each length goes through the rest of a document. */
const opening = /^[ \t>]{0,12}(?:[-*][ \t]{1,3})?(`{3,12}|~{3,12})[`~]*[ \t]*\{?\.?([\w+#.-]{0,30})[^\n]{0,100}$/gm;

/** The blocks of code of a document, each up to its closing fence. */
export function findFences(text: string): readonly Fence[] {
  const found: Fence[] = [];
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [whole, mark = '```', word = ''] = match;
    const start = match.index + whole.length + 1;
    const at = text.indexOf(`\n${mark}`, start - 1);
    const closing = at < 0 ? text.indexOf(mark, start) : at;
    const end = closing < 0 ? text.length : closing;
    const isWarning =
      introducesBadExample(text.slice(Math.max(0, match.index - 240), match.index)) &&
      !isExcepted(text, match.index, end);
    if (end > start) found.push({ start, end, language: languageOfFence(word), isWarning });
    opening.lastIndex = Math.max(end + mark.length + 1, opening.lastIndex);
  }
  return found;
}

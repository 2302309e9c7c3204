import { asciiOf } from './confusables.ts';

export interface FoldTable {
  /** By unit: what it folds to; `removed` or `longer` for what is not one unit. */
  readonly unit: Uint16Array;
  /** What folds to several units. */
  readonly longer: ReadonlyMap<number, string>;
  /** By unit: 1 when a text with it is worth folding. */
  readonly folds: Uint8Array;
}

export const removed = 0xfffe;
export const longer = 0xffff;

/** High surrogates of what may fold: mathematical letters, letters in boxes, tags and selectors. */
const highLetters = 0xd835;
const highBoxes = 0xd83c;
export const highTags = 0xdb40;

const invisible = /^[\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u3164\uffa0\u2800\u0080-\u009f\ufffc\ufffe\uffff]$/u;

/** Controls of ASCII that move and break nothing: they are not seen. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const unseenControl = /[\0-\u0008\u000e-\u001f\u007f]/;

/** Whether folding takes a control out of the text. */
export const holdsControls = (text: string): boolean => unseenControl.test(text);

let table: FoldTable | undefined;

/** Built at the first use, from what the engine knows of Unicode; it takes some milliseconds. */
export const foldTable = (): FoldTable => (table ??= buildFoldTable());

function buildFoldTable(): FoldTable {
  const unit = new Uint16Array(0x1_0000);
  const expansions = new Map<number, string>();
  const folds = new Uint8Array(0x1_0000);
  for (let at = 0; at < 0x1_0000; at += 1) {
    unit[at] = at;
    if (at < 0x80 && holdsControls(String.fromCharCode(at))) {
      unit[at] = removed;
      folds[at] = 1;
    }
    if (at < 0x80 || (at >= 0xd800 && at <= 0xdfff)) continue;
    const folded = foldChar(String.fromCharCode(at));
    if (folded.length === 1) unit[at] = folded.charCodeAt(0);
    else if (folded === '') unit[at] = removed;
    else {
      unit[at] = longer;
      expansions.set(at, folded);
    }
    // Quotation marks and dashes are no reason to read a text a second time.
    if (unit[at] !== at && !/[\u2010-\u2027\u2030-\u203a]/.test(String.fromCharCode(at))) folds[at] = 1;
  }
  for (const high of [highLetters, highBoxes, highTags]) folds[high] = 1;
  return { unit, longer: expansions, folds };
}

/** What one character folds to: nothing when it is not seen, else what it looks like. */
export function foldChar(char: string): string {
  if (invisible.test(char)) return '';
  if (/^\s$/.test(char)) return /[\u2028\u2029]/.test(char) ? '\n' : ' ';
  const known = asciiOf.get(char.charCodeAt(0));
  if (known !== undefined) return known;
  const decomposed = char.normalize('NFKD').replaceAll(/[\p{Mn}\p{Me}]/gu, '');
  return Array.from(decomposed, (part) => (part.length === 1 ? (asciiOf.get(part.charCodeAt(0)) ?? part) : part)).join(
    '',
  );
}

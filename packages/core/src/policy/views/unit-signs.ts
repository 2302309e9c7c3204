import { foldTable } from './fold-table.ts';

/** Bits for what a unit says about the readings that a text with it may have. */
export const sign = {
  /** Folding may change it. */
  folds: 1,
  percent: 4,
  backslash: 8,
  ampersand: 16,
  dash: 32,
  /** A digit, or a sign that may stand for a letter as digits do. */
  digit: 64,
} as const;

let table: Uint8Array | undefined;

/** By unit: its bits. */
export const unitSigns = (): Uint8Array => (table ??= buildSigns());

function buildSigns(): Uint8Array {
  const { folds } = foldTable();
  const signs = folds.map((mayFold) => mayFold * sign.folds);
  const known = { '%': sign.percent, '\\': sign.backslash, '&': sign.ampersand, '-': sign.dash };
  for (const [char, bit] of Object.entries(known)) signs[char.charCodeAt(0)] = bit;
  for (const char of '0123456789@$') signs[char.charCodeAt(0)] = sign.digit;
  return signs;
}

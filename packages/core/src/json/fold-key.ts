/** Nothing in such a key folds to anything else. */
const plain = /^[a-z0-9_]*$/;

/** Longer keys are no names. */
const maxFoldedLength = 64;

/** A dot that lower case leaves behind the i of a capital İ. */
const dotAbove = /\u0307/g;
const behindNul = /\0.*$/s;

/**
 * A key as the most lenient reader knows it: case does not count, nor do letters that become ASCII when their case
 * changes (`ſ`, `K`, `ı`, `İ`), and readers in C end it at a NUL. Equal keys fold equally.
 */
export function foldKey(key: string): string {
  if (plain.test(key) || key.length > maxFoldedLength) return key;
  return key.replace(behindNul, '').toUpperCase().toLowerCase().replace(dotAbove, '');
}

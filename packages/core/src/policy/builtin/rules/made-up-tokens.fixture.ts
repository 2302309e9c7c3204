/*
 * Tokens are put together here, and their prefixes are cut by a dot, so that no scanner of repositories takes this file for a leak. They
 * have the structure of the real thing and no other meaning.
 */
export const repeat = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
export const mixed = (length: number): string => repeat('aB3dE6gH9jK2mN5pQ8rS1tU4', length);
export const lower = (length: number): string => repeat('a3b6c9d2e5f8g1h4', length);
export const upper = (length: number): string => repeat('A3B6C9D2E5F7G4H2', length);
export const letters = (length: number): string => repeat('aBcDeFgHiJkLmNoPqRs', length);
export const hex = (length: number): string => repeat('0a1b2c3d4e5f6789', length);
export const digits = (length: number): string => repeat('7402918365', length);
/** Joins what a dot in the middle keeps apart. */
export const glue = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts
    .map((text, index) => text + (values[index] ?? ''))
    .join('')
    .replaceAll('·', '');
export const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;

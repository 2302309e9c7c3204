import type { Checksum } from './token-row.ts';

const table = Int32Array.from({ length: 256 }, (_, index) => {
  let rest = index;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xed_b8_83_20 : rest >>> 1;
  return rest;
});

/** CRC-32 of ISO 3309, of the units of a text below 256. */
export function crc32(text: string): number {
  let rest = -1;
  for (let at = 0; at < text.length; at += 1) {
    rest = (table[(rest ^ text.charCodeAt(at)) & 255] ?? 0) ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Characters that a checksum takes at the end of a token. */
export const checksumLength = 6;

/** A number in six digits of base 62. */
export function base62(number: number): string {
  let text = '';
  for (let rest = number; text.length < checksumLength; rest = Math.floor(rest / 62))
    text = (digits[rest % 62] ?? '') + text;
  return text;
}

/** The last six characters are the CRC-32 of what stands between them and the last line before, as GitHub and npm have it. */
export const endsWithCrc32: Checksum = (token) => {
  const body = token.slice(token.lastIndexOf('_') + 1);
  return base62(crc32(body.slice(0, -checksumLength))) === body.slice(-checksumLength);
};

import { renderUnits } from './fold.ts';

/** A decoded text has at least this share of characters that people write. */
const leastPrintable = 0.92;

const utf8 = new TextDecoder('utf-8');

/** The text that bytes spell in UTF-8 or UTF-16, or undefined when they spell none. */
export function readText(bytes: Uint8Array): string | undefined {
  if (bytes.length < 6) return undefined;
  const text = isWide(bytes) ? readWide(bytes) : utf8.decode(bytes);
  return isPrintable(text) ? text : undefined;
}

export function isPrintable(text: string): boolean {
  let odd = 0;
  const most = text.length * (1 - leastPrintable);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isOdd = unit < 0x20 ? unit !== 0x0a && unit !== 0x0d && unit !== 0x09 : unit === 0x7f || unit === 0xfffd;
    if (isOdd && (odd += 1) > most) return false;
  }
  return true;
}

/** Every second byte is zero. */
function isWide(bytes: Uint8Array): boolean {
  let zeros = 0;
  for (let at = 1; at < 32 && at < bytes.length; at += 2) if (bytes[at] === 0) zeros += 1;
  return zeros >= Math.min(16, bytes.length >> 1) * 0.8;
}

function readWide(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length >> 1);
  for (let at = 0; at < units.length; at += 1) units[at] = (bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8);
  return renderUnits(units);
}

/** Digits of `bits` bits each, as bytes. Units without a value are passed over. */
export function packBits(digits: string, valueOf: Int8Array, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((digits.length * bits) / 8));
  let length = 0;
  let held = 0;
  let count = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const value = valueOf[digits.charCodeAt(at) & 0x7f] as number;
    if (value < 0) continue;
    held = ((held << bits) | value) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    bytes[length] = (held >> count) & 0xff;
    length += 1;
  }
  return bytes.subarray(0, length);
}

const valuesOf = (alphabets: readonly string[]): Int8Array => {
  const values = new Int8Array(128).fill(-1);
  for (const alphabet of alphabets) {
    for (let at = 0; at < alphabet.length; at += 1) values[alphabet.charCodeAt(at)] = at;
  }
  return values;
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const base64Values = valuesOf([`${letters}${letters.toLowerCase()}0123456789+/`, `${' '.repeat(62)}-_`]);
base64Values[0x20] = -1;
export const base32Values = valuesOf([`${letters}234567`]);
export const hexValues = valuesOf(['0123456789abcdef', '0123456789ABCDEF']);
export const binaryValues = valuesOf(['01']);

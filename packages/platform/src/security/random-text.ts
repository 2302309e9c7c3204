import { randomBytes } from 'node:crypto';

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Bytes from this value on would make the first characters likelier than the others. */
const rejectFrom = 256 - (256 % alphanumerics.length);

/** Text of `length` letters and digits, each equally likely, for keys and passwords. */
export function randomAlphanumerics(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < rejectFrom && text.length < length) text += alphanumerics.charAt(byte % alphanumerics.length);
    }
  }
  return text;
}

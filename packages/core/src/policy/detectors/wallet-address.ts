import { createHash } from 'node:crypto';
import type { PatternDetector } from './detector.ts';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** The last four bytes are the beginning of the hash of the others, twice. */
function base58Check(text: string): boolean {
  let number = 0n;
  for (const symbol of text) number = number * 58n + BigInt(base58.indexOf(symbol));
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex');
  return (
    bytes.length === 25 &&
    sha256(sha256(bytes.subarray(0, 21)))
      .subarray(0, 4)
      .equals(bytes.subarray(21))
  );
}

const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The polynomial checksum of BIP 173 (1) and BIP 350. */
function bech32Check(text: string): boolean {
  const prefix = text.slice(0, 2);
  const data = text.slice(3);
  const values = [
    ...Array.from(prefix, (unit) => unit.charCodeAt(0) >> 5),
    0,
    ...Array.from(prefix, (unit) => unit.charCodeAt(0) & 31),
    ...Array.from(data, (unit) => bech32.indexOf(unit)),
  ];
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let bit = 0; bit < 5; bit += 1) if (((top >>> bit) & 1) === 1) check ^= generator[bit] ?? 0;
  }
  return check === 1 || check === 0x2bc830a3;
}

/** Addresses of Bitcoin wallets, which are accounts of people. */
export const walletAddress: PatternDetector = {
  kind: 'pattern',
  name: 'bitcoin-address',
  type: 'BITCOIN_ADDRESS',
  description: 'Bitcoin addresses, verified by their checksums',
  patterns: [
    '(?<![A-Za-z0-9])[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![A-Za-z0-9])',
    '(?<![A-Za-z0-9])bc1[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{39,59}(?![A-Za-z0-9])',
  ],
  validate(match) {
    return (match.startsWith('bc1') ? bech32Check(match) : base58Check(match)) ? 0.99 : undefined;
  },
};

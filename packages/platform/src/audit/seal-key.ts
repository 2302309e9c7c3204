import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config/secret.ts';

/** A place in the audit chain: the record and the hash that it and everything before it come to. */
export interface ChainPosition {
  readonly record_id: number;
  readonly hash: string;
}

/** Signs places in the audit chain with a key that the database never sees. */
export interface SealKey {
  /** Hex. */
  sign(position: ChainPosition): string;
  isValid(position: ChainPosition, seal: string): boolean;
}

/** The key is derived from ENCRYPTION_KEY, so that neither tells anything about the other. */
export function createSealKey(encryptionKey: Secret): SealKey {
  const key = Buffer.from(hkdfSync('sha256', encryptionKey.reveal(), '', 'portcullis audit seal', 32));
  const sign = ({ record_id, hash }: ChainPosition): string =>
    createHmac('sha256', key).update(`${record_id}:${hash}`).digest('hex');
  return {
    sign,
    isValid(position, seal) {
      const [given, right] = [Buffer.from(seal), Buffer.from(sign(position))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

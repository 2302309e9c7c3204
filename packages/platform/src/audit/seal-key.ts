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
  /** Whether the present key made the seal, which is valid. */
  isPresent(position: ChainPosition, seal: string): boolean;
}

/**
 * The key is derived from ENCRYPTION_KEY, so that neither tells anything about the other.
 * @param previousKey whose seals are good still, and renewed
 */
export function createSealKey(encryptionKey: Secret, previousKey?: Secret): SealKey {
  const present = deriveSeal(encryptionKey);
  const previous = previousKey && deriveSeal(previousKey);
  const isPresent: SealKey['isPresent'] = (position, seal) => isSame(seal, present(position));
  return {
    sign: present,
    isPresent,
    isValid: (position, seal) =>
      isPresent(position, seal) || (previous !== undefined && isSame(seal, previous(position))),
  };
}

function deriveSeal(secret: Secret): (position: ChainPosition) => string {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'portcullis audit seal', 32));
  return ({ record_id, hash }) => createHmac('sha256', key).update(`${record_id}:${hash}`).digest('hex');
}

function isSame(one: string, other: string): boolean {
  const [given, right] = [Buffer.from(one), Buffer.from(other)];
  return given.length === right.length && timingSafeEqual(given, right);
}

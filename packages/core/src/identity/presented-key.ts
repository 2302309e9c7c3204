import { hash } from 'node:crypto';

/** The one token a request presents, and the header that carried it. */
export interface PresentedKey {
  readonly token: string;
  readonly header: 'x-api-key' | 'authorization';
}

interface KeyHeaders {
  readonly 'x-api-key'?: string | string[] | undefined;
  readonly authorization?: string | undefined;
}

const schemes = /^(?:bearer|apikey) +(\S+)\s*$/i;

/**
 * Finds the gateway key: `X-API-Key` first, then `Authorization: Bearer`, then `Authorization: ApiKey`.
 * Only the first present one counts, also when it turns out to be wrong.
 */
export function findPresentedKey(headers: KeyHeaders): PresentedKey | undefined {
  const direct = headers['x-api-key'];
  if (typeof direct === 'string' && direct !== '') return { token: direct, header: 'x-api-key' };
  const match = headers.authorization === undefined ? null : schemes.exec(headers.authorization);
  return match === null ? undefined : { token: match[1] as string, header: 'authorization' };
}

/**
 * SHA-256 of the whole token, hex: what is stored and looked up. A lookup by hash needs no
 * constant-time comparison, since what an attacker could learn from its timing is the hash.
 */
export const hashKey = (token: string): string => hash('sha256', token, 'hex');

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Authenticated encryption of secrets at rest. */
export interface Encryption {
  /** @param context names the place of the secret; a value moved elsewhere does not decrypt. */
  encrypt(plain: string, context: string): string;
  /** Throws when the value was altered, belongs to another context or to another key. */
  decrypt(sealed: string, context: string): string;
}

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key given as 32 characters or 64 hex digits. Sealed form: `v1.` + base64url of iv, tag, text. */
export function createEncryption(key: string): Encryption {
  const keyBytes = /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'utf8');
  if (keyBytes.length !== 32) throw new Error('The encryption key must be 32 characters or 64 hex digits');

  return {
    encrypt(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyBytes, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },

    decrypt(sealed, context) {
      if (!sealed.startsWith('v1.')) throw new Error('Not an encrypted value of this version');
      const bytes = Buffer.from(sealed.slice(3), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyBytes, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}

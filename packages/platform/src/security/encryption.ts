import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Authenticated encryption of secrets at rest. */
export interface Encryption {
  /** @param context names the place of the secret; a value moved elsewhere does not decrypt. */
  encrypt(plain: string, context: string): string;
  /**
   * Throws when the value was altered, belongs to another context or to a key that is not known.
   * @param formerContext under which older versions sealed it
   */
  decrypt(sealed: string, context: string, formerContext?: string): string;
  /**
   * The same secret under the present key and context; undefined where it is so already. Throws as `decrypt`.
   */
  renew(sealed: string, context: string, formerContext?: string): string | undefined;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM under a key given as 32 characters or 64 hex digits. Sealed form: `v1.` + base64url of iv, tag, text.
 * @param previousKey opens what was sealed before the key changed, and seals nothing
 */
export function createEncryption(key: string, previousKey?: string): Encryption {
  const present = readKeyOrThrow(key);
  const keys = previousKey === undefined ? [present] : [present, readKeyOrThrow(previousKey)];

  const encrypt: Encryption['encrypt'] = (plain, context) => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', present, iv).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `v1.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
  };

  /** The first that opens it counts; what the first one says of one that none opens is reported. */
  const open = (sealed: string, contexts: readonly (string | undefined)[]) => {
    let fault: unknown;
    for (const context of contexts) {
      if (context === undefined) continue;
      for (const candidate of keys) {
        try {
          const plain = decryptWith(candidate, sealed, context);
          return { plain, isPresent: candidate === present && context === contexts[0] };
        } catch (error) {
          fault ??= error;
        }
      }
    }
    throw fault;
  };

  return {
    encrypt,
    decrypt: (sealed, ...contexts) => open(sealed, contexts).plain,
    renew(sealed, context, formerContext) {
      const { plain, isPresent } = open(sealed, [context, formerContext]);
      return isPresent ? undefined : encrypt(plain, context);
    },
  };
}

function decryptWith(key: Buffer, sealed: string, context: string): string {
  if (!sealed.startsWith('v1.')) throw new Error('Not an encrypted value of this version');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
}

function readKeyOrThrow(key: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'utf8');
  if (bytes.length !== 32) throw new Error('The encryption key must be 32 characters or 64 hex digits');
  return bytes;
}

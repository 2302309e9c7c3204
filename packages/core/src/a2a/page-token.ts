import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Where a page ends, for the one who asked for it. */
export interface PageTokens {
  /** @param scope who asked, of which agent, and with which filters: the token is worth nothing elsewhere */
  seal(position: string, scope: string): string;
  /** Undefined for what was not sealed here, or for another scope. */
  open(token: string, scope: string): string | undefined;
}

const ivBytes = 12;
const tagBytes = 16;
const maxTokenLength = 1_024;
const format = /^[\w-]+$/;

/**
 * Tokens that say nothing to those who hold them and cannot be made up: a position is a time and an id of a task, and
 * must not lead anyone into the tasks of others.
 * @param secret shared by all processes of the installation
 */
export function createPageTokens(secret: string): PageTokens {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `a2a page token ${use}`, 32));
  const [key, ivKey] = [derive('encryption'), derive('iv')];
  // Made from what is sealed, so that equal pages have equal tokens and no two texts share an iv.
  const ivOf = (position: string, scope: string): Buffer =>
    createHmac('sha256', ivKey).update(`${scope.length} ${scope}${position}`).digest().subarray(0, ivBytes);

  return {
    seal(position, scope) {
      const iv = ivOf(position, scope);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(scope));
      const text = Buffer.concat([cipher.update(position, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },

    open(token, scope) {
      if (token.length > maxTokenLength || !format.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return undefined;
      const iv = bytes.subarray(0, ivBytes);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, iv)
          .setAAD(Buffer.from(scope))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
        const position = text.toString('utf8');
        return timingSafeEqual(iv, ivOf(position, scope)) ? position : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

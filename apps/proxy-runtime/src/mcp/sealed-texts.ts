import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { unknown, type Holder, type Opened } from './session-seals.ts';

/** Texts of targets that go to one key and come back with it. */
export interface SealedTexts {
  seal(holder: Holder, text: string): string;
  open(holder: Holder, sealed: string): Opened<string>;
}

const [ivBytes, tagBytes] = [12, 16];
const format = /^([\da-z]{1,11})\.([\w-]{38,})$/;

/**
 * Encrypts for one key on one proxy: every worker can read it without keeping anything, clients can make up
 * none, and what a client was told tells another one nothing that would be good for him.
 * @param secret shared by all processes of the installation
 * @param previous the one before: what it sealed still opens
 * @param purpose what is sealed for one is nothing to another
 */
export function createSealedTexts(secret: string, purpose: string, previous?: string): SealedTexts {
  const derive = (from: string): Buffer => Buffer.from(hkdfSync('sha256', from, '', purpose, 32));
  const key = derive(secret);
  const keys = previous === undefined ? [key] : [key, derive(previous)];
  const bindTo = ({ proxyId, keyId }: Holder): Buffer => Buffer.from(`${proxyId} ${keyId}`);

  const decrypt = (holder: Holder, sealed: Buffer, by: Buffer): string | undefined => {
    if (sealed.length <= ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', by, sealed.subarray(0, ivBytes));
    decipher.setAAD(bindTo(holder)).setAuthTag(sealed.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  };

  return {
    seal(holder, text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bindTo(holder));
      const sealed = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
      return `${holder.keyId.toString(36)}.${sealed.toString('base64url')}`;
    },

    open({ proxyId, keyId }, text) {
      const [, owner = '', sealed = ''] = format.exec(text) ?? [];
      const ownerId = Number.parseInt(owner, 36);
      const bytes = Buffer.from(sealed, 'base64url');
      // As it was sealed, not another spelling of the same.
      if (ownerId.toString(36) !== owner || bytes.toString('base64url') !== sealed) return unknown;
      const owned = { proxyId, keyId: ownerId };
      const value = keys.map((by) => decrypt(owned, bytes, by)).find((text) => text !== undefined);
      if (value === undefined) return unknown;
      return ownerId === keyId ? { kind: 'own', value } : { kind: 'foreign', keyId: ownerId };
    },
  };
}

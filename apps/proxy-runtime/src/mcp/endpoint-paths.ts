import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { unknown, type Holder, type Opened } from './session-seals.ts';

/** Ways of proxy ports to the endpoints that targets announced on streams of the transport of 2024-11-05. */
export interface EndpointPaths {
  /**
   * The path on the proxy port that leads one key to `endpoint` on the target.
   * @param endpoint path and query as the target announced them
   */
  announce(holder: Holder, endpoint: string): string;
  /** The endpoint that was announced as `path`. */
  resolve(holder: Holder, path: string): Opened<string>;
}

const prefix = '/.portcullis/endpoint/';
const [ivBytes, tagBytes] = [12, 16];
const format = /^([\da-z]{1,11})\.([\w-]{38,})$/;

/** It claims to be a path that was announced. */
export const isSealedPath = (path: string): boolean => path.startsWith(prefix);

/**
 * An announced endpoint names the session of its stream, and whoever posts there speaks in it. It is also often
 * beside the base path that confines clients. So it is announced encrypted, for one key on one proxy: every
 * worker can read it without keeping anything, clients can make up none, and what a client was told tells
 * another one nothing that would be good for him.
 * @param secret shared by all processes of the installation
 */
export function createEndpointPaths(secret: string): EndpointPaths {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mcp endpoint', 32));
  const bindTo = ({ proxyId, keyId }: Holder): Buffer => Buffer.from(`${proxyId} ${keyId}`);

  const decrypt = (holder: Holder, sealed: Buffer): string | undefined => {
    if (sealed.length <= ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes));
    decipher.setAAD(bindTo(holder)).setAuthTag(sealed.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  };

  return {
    announce(holder, endpoint) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bindTo(holder));
      const sealed = Buffer.concat([iv, cipher.update(endpoint), cipher.final(), cipher.getAuthTag()]);
      return `${prefix}${holder.keyId.toString(36)}.${sealed.toString('base64url')}`;
    },

    resolve({ proxyId, keyId }, path) {
      const [, owner = '', sealed = ''] = format.exec(path.slice(prefix.length)) ?? [];
      const ownerId = Number.parseInt(owner, 36);
      if (!isSealedPath(path) || !Number.isSafeInteger(ownerId)) return unknown;
      const endpoint = decrypt({ proxyId, keyId: ownerId }, Buffer.from(sealed, 'base64url'));
      if (endpoint === undefined) return unknown;
      return ownerId === keyId ? { kind: 'own', value: endpoint } : { kind: 'foreign', keyId: ownerId };
    },
  };
}

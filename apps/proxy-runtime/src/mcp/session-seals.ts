import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/** Who may use what was handed out: a key on a proxy. */
export interface Holder {
  readonly proxyId: number;
  readonly keyId: number;
}

/** What a client gave back: `foreign` is what another key of the same proxy was given. */
export type Opened<Value> =
  | { readonly kind: 'own'; readonly value: Value }
  | { readonly kind: 'foreign'; readonly keyId: number }
  | { readonly kind: 'unknown' };

export const unknown = Object.freeze({ kind: 'unknown' } as const);

/** Sessions, and tasks, of MCP servers as their clients know them. */
export interface SessionSeals {
  /** @param id as the target knows it */
  seal(holder: Holder, id: string): string;
  /** The target's own id, for whom it was sealed. */
  open(holder: Holder, sealed: string): Opened<string>;
}

const macBytes = 16;
/** Number of the key, seal, id of the target. */
const format = /^([\da-z]{1,11})\.([\w-]{22})\.(.+)$/s;

/**
 * A server takes a client that knows the id of a session for its owner. So clients get the id with a seal over
 * it, their key and the proxy: any process can check it without having kept anything, and an id that was
 * learned from somewhere is worth nothing with another key.
 * @param secret shared by all processes of the installation
 * @param previous the one before, whose seals still open
 * @param purpose what is sealed for one is nothing to another
 */
export function createSessionSeals(secret: string, previous?: string, purpose = 'mcp session'): SessionSeals {
  const key = createSecretKey(secret, 'utf8');
  const keys = previous === undefined ? [key] : [key, createSecretKey(previous, 'utf8')];
  const sealOf = ({ proxyId, keyId }: Holder, id: string, by: KeyObject = key): string =>
    createHmac('sha256', by)
      .update(`${purpose} ${proxyId} ${keyId} ${id}`)
      .digest()
      .subarray(0, macBytes)
      .toString('base64url');

  return {
    seal: (holder, id) => `${holder.keyId.toString(36)}.${sealOf(holder, id)}.${id}`,

    open({ proxyId, keyId }, sealed) {
      const [, owner = '', seal = '', id = ''] = format.exec(sealed) ?? [];
      const ownerId = Number.parseInt(owner, 36);
      if (!Number.isSafeInteger(ownerId)) return unknown;
      const owned = { proxyId, keyId: ownerId };
      const isSealed = keys.some((by) => timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(owned, id, by))));
      if (!isSealed) return unknown;
      return ownerId === keyId ? { kind: 'own', value: id } : { kind: 'foreign', keyId: ownerId };
    },
  };
}

import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';

/** What every process knows of a session from its id alone. */
export interface McpSession {
  readonly id: string;
  readonly openedAtMs: number;
  /** As the client called itself at `initialize`. */
  readonly clientName: string | undefined;
}

/** Ids of sessions that any process can read and none has to keep. */
export interface SessionSeal {
  open(clientName: string | undefined, nowMs: number): string;
  /** Undefined for what was not sealed here, and for what is older than `maxSessionMs`. */
  read(sealed: string, nowMs: number): McpSession | undefined;
}

export const maxSessionMs = 86_400_000;
const maxNameLength = 100;
const maxLength = 1_000;

/**
 * @param server the sessions of one server are none of another
 * @param secret shared by all processes of the installation
 * @param previous the one before, whose seals still open
 */
export function createSessionSeal(server: string, secret: string, previous?: string): SessionSeal {
  const keys = [secret, ...(previous === undefined ? [] : [previous])].map((from) =>
    Buffer.from(hkdfSync('sha256', from, '', `mcp server ${server}`, 32)),
  );
  const sign = (text: string, key: Buffer | undefined): Buffer =>
    createHmac('sha256', key ?? '')
      .update(text)
      .digest();
  return {
    open(clientName, nowMs) {
      const facts = [randomUUID(), nowMs, clientName?.slice(0, maxNameLength) ?? null];
      const text = Buffer.from(JSON.stringify(facts)).toString('base64url');
      return `${text}.${sign(text, keys[0]).toString('base64url')}`;
    },
    read(sealed, nowMs) {
      const [text = '', signature = '', ...more] = sealed.slice(0, maxLength).split('.');
      const given = Buffer.from(signature, 'base64url');
      const isSealed = keys.some((key) => {
        const wanted = sign(text, key);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      if (!isSealed || more.length > 0) return undefined;
      const [id, openedAtMs, name] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
        string,
        number,
        string | null,
      ];
      return nowMs - openedAtMs > maxSessionMs ? undefined : { id, openedAtMs, clientName: name ?? undefined };
    },
  };
}

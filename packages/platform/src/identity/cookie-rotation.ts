import { randomUUID } from 'node:crypto';
import { auditEntry, type AuditedCall } from '../audit/audited.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Config } from '../config/config.ts';
import type { Bus } from '../coordination/coordination.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../log/logger.ts';
import type { CookieClaims } from './session-cookies.ts';
import {
  confirmCookie,
  deleteSession,
  findBrowserSession,
  replaceCookie,
  type BrowserSessionRow,
} from './session-queries.ts';
import { createAnnounceEnd, endsOf, replayed } from './sessions.ts';
import { invalidToken } from './tokens.ts';

/** A cookie to be sent, and until when it can be replaced. */
export interface IssuedCookie extends CookieClaims {
  readonly expiresAt: Date;
}

/** Which cookie of a session counts. */
export interface CookieRotation {
  /**
   * Takes the current cookie, and the one before while that may have been on its way.
   * @returns the cookie to answer with, where the browser may not have it
   * @throws {GatewayError} `invalid_token` for an older one, which was copied: its session has ended
   */
  accept(claims: CookieClaims, session: BrowserSessionRow, call: AuditedCall): Promise<IssuedCookie | undefined>;
  /** Puts a new cookie in the place of this one. @returns it, or that of a request that was faster */
  replace(claims: CookieClaims, session: BrowserSessionRow): Promise<IssuedCookie | undefined>;
  /** Ends the session of a cookie. */
  end(claims: CookieClaims): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Logger;
  readonly config: Pick<Config, 'JWT_EXPIRY' | 'JWT_REFRESH_EXPIRY' | 'JWT_SESSION_EXPIRY'>;
}

const renewAfterMs = 900_000;
/** How long the cookie before the current one counts once that has come back: for requests that were on their way. */
const overlapMs = 60_000;

export function createCookieRotation({ database, bus, log, config }: Parts): CookieRotation {
  const announceEnd = createAnnounceEnd(bus, log);

  const end = async (userId: number, sessionId: string): Promise<void> => {
    await deleteSession(database, sessionId);
    await announceEnd({ userId, sessionId });
  };

  const replace: CookieRotation['replace'] = async ({ sessionId, cookieId }, session) => {
    const { refreshUntil: expiresAt } = endsOf(config, Date.now(), session.ends_at.getTime());
    const next = { sessionId, cookieId: randomUUID(), expiresAt };
    if (await replaceCookie(database, { sessionId, cookieId }, next)) return next;
    const latest = await findBrowserSession(database, sessionId);
    return latest && currentOf(sessionId, latest);
  };

  return {
    replace,

    async accept(claims, session, call) {
      const { sessionId, cookieId } = claims;
      const { confirmed_ms_ago: confirmedMsAgo, previous_cookie_id: previous } = session;
      if (cookieId === session.cookie_id) {
        if (previous !== null && confirmedMsAgo === null) await confirmCookie(database, sessionId, cookieId);
        const isDue = (session.renewed_ms_ago ?? 0) >= Math.min(renewAfterMs, config.JWT_EXPIRY);
        return isDue ? replace(claims, session) : undefined;
      }
      if (cookieId === previous && (confirmedMsAgo ?? 0) < overlapMs) return currentOf(sessionId, session);
      await end(session.user_id, sessionId);
      await recordAudit(database.kysely, auditEntry(call, replayed(session.user_id, 'the cookie of a session')));
      throw invalidToken();
    },

    async end({ sessionId }) {
      const session = await findBrowserSession(database, sessionId);
      if (session !== undefined) await end(session.user_id, sessionId);
    },
  };
}

const currentOf = (
  sessionId: string,
  { cookie_id: cookieId, expires_at: expiresAt }: BrowserSessionRow,
): IssuedCookie | undefined => (cookieId === null ? undefined : { sessionId, cookieId, expiresAt });

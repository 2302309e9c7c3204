import { recordAudit } from '../audit/record-audit.ts';
import type { Bus } from '../coordination/coordination.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import { randomUUID } from 'node:crypto';
import { auditEntry, type AuditedCall, type AuditedChange } from '../audit/audited.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  findSession,
  findUserOfToken,
  insertSession,
  replaceToken,
} from './session-queries.ts';
import { invalidToken, type TokenClaims, type TokenIds, type Tokens } from './tokens.ts';
import type { UserRow, UserToLogIn } from './user-queries.ts';

/** Bus topic that tells every replica whose connections to close. */
export const sessionsEndedTopic = 'sessions-ended';

/** The provider with which a session began; one of the environment has no id. */
export interface SessionProvider {
  readonly id: number | undefined;
  readonly name: string;
}

/** Whose sessions ended: one, all of a user, or all of a user but the one that asked. */
export interface SessionsEnded {
  readonly userId: number;
  readonly sessionId?: string | undefined;
  readonly but?: string | undefined;
}

export interface SignedToken {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** How long an exchanged token, sent again, is taken for two requests of one client at once. */
const raceMs = 30_000;

/** Logins: each is a row from the password to the logout, and one token of it counts at a time. */
export interface Sessions {
  /**
   * @param provider that verified the user, where no password was given
   * @throws {GatewayError} `invalid_credentials` when the password was changed since it was checked
   */
  start(
    user: UserToLogIn,
    call: Pick<AuditedCall, 'clientIp' | 'userAgent'>,
    provider?: SessionProvider,
  ): Promise<SignedToken & Pick<TokenIds, 'tokenId'>>;
  /**
   * Exchanges a token, also an expired one, for a fresh one; from then on the old one is nothing.
   * An old one that is sent later on was stolen, or the fresh one was: the session ends.
   * @throws {GatewayError} `invalid_token`
   */
  refresh(token: string, call: AuditedCall): Promise<SignedToken & { readonly user: UserRow }>;
  /** Ends the session of a token, also of an expired or exchanged one. @throws {GatewayError} `invalid_token` */
  end(token: string): Promise<TokenClaims>;
  endById(userId: number, sessionId: string): Promise<void>;
  /** Closes the connections of sessions that have ended, everywhere. */
  announceEnd(ended: SessionsEnded): Promise<void>;
}

interface SessionParts {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly bus: Bus;
  readonly config: Pick<Config, 'JWT_EXPIRY' | 'JWT_REFRESH_EXPIRY' | 'JWT_SESSION_EXPIRY'>;
  readonly log: Logger;
}

/** The ends of a token that is issued now: as a login, and as something to exchange. */
export function endsOf(config: SessionParts['config'], nowMs: number, sessionEndsMs: number) {
  const expiresAtMs = Math.min(nowMs + config.JWT_EXPIRY, sessionEndsMs);
  const refreshUntilMs = Math.max(expiresAtMs, Math.min(nowMs + config.JWT_REFRESH_EXPIRY, sessionEndsMs));
  return { expiresAtMs, refreshUntil: new Date(refreshUntilMs) };
}

/** What closes the connections of sessions that have ended, everywhere. */
export const createAnnounceEnd =
  (bus: Bus, log: Logger): Sessions['announceEnd'] =>
  async (ended) => {
    // Whom this does not reach closes the connections when it next looks at them.
    await bus.publish(sessionsEndedTopic, ended).catch((error: unknown) => {
      log.warn('The end of a session could not be announced', { problem: problemText(error) });
    });
  };

export function createSessions({ database, tokens, bus, config, log }: SessionParts): Sessions {
  const sign = (user: UserRow, ids: TokenIds, nowMs: number, expiresAtMs: number) => ({
    token: tokens.sign(user, ids, nowMs, expiresAtMs),
    expires_at: new Date(Math.floor(expiresAtMs / 1_000) * 1_000).toISOString(),
  });

  const announceEnd = createAnnounceEnd(bus, log);

  const end = async ({ userId, sessionId }: Pick<TokenClaims, 'userId' | 'sessionId'>): Promise<void> => {
    await deleteSession(database, sessionId);
    await announceEnd({ userId, sessionId });
  };

  const start: Sessions['start'] = async (user, { clientIp, userAgent }, provider) => {
    const nowMs = Date.now();
    const endsAtMs = nowMs + config.JWT_SESSION_EXPIRY;
    const { expiresAtMs, refreshUntil } = endsOf(config, nowMs, endsAtMs);
    const ids = { sessionId: randomUUID(), tokenId: randomUUID(), provider: provider?.name };
    const ends = { expiresAt: refreshUntil, endsAt: new Date(endsAtMs) };
    const began = { provider, clientIp, userAgent };
    if (!(await insertSession(database, user, ids, ends, began))) throw new GatewayError('invalid_credentials');
    await deleteExpiredSessions(database);
    return { ...sign(user, ids, nowMs, expiresAtMs), tokenId: ids.tokenId };
  };

  return {
    announceEnd,
    start,
    endById: (userId, sessionId) => end({ userId, sessionId }),

    async refresh(token, call) {
      const claims = tokens.parseExpiredOrThrow(token);
      const [user, session] = [await findUserOfToken(database, claims), await findSession(database, claims.sessionId)];
      if (session === undefined || session.expired) throw invalidToken();
      if (user === undefined) return refuseOldToken(database, claims, call, end);

      const nowMs = Date.now();
      const { expiresAtMs, refreshUntil } = endsOf(config, nowMs, session.ends_at.getTime());
      const tokenId = randomUUID();
      if (!(await replaceToken(database, claims, { tokenId, expiresAt: refreshUntil }))) throw invalidToken();
      return { ...sign(user, { ...claims, tokenId }, nowMs, expiresAtMs), user };
    },

    async end(token) {
      const claims = tokens.parseExpiredOrThrow(token);
      await end(claims);
      return claims;
    },
  };
}

/** @throws always, and ends the session when the token had its turn long ago. */
async function refuseOldToken(
  database: Database,
  claims: TokenClaims,
  call: AuditedCall,
  end: (claims: TokenClaims) => Promise<void>,
): Promise<never> {
  const { userId, sessionId, tokenId } = claims;
  const session = await findSession(database, sessionId);
  const raced = session?.previous_token_id === tokenId && session.refreshed_ms_ago < raceMs;
  if (session !== undefined && !raced) {
    await end(claims);
    await recordAudit(database.kysely, auditEntry(call, replayed(userId, 'a login token')));
  }
  throw invalidToken();
}

/** For the audit log: what was exchanged came back, so somebody has a copy. */
export const replayed = (userId: number, what: string): AuditedChange => ({
  event: 'security.suspicious.activity',
  resource: { type: 'user', id: userId, name: null },
  action: 'refresh',
  result: 'failure',
  error_message: `${what} came back after it had been exchanged; its session has ended`,
});

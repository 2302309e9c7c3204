import { randomUUID } from 'node:crypto';
import type { AuditedCall } from '../audit/audited.ts';
import type { Config } from '../config/config.ts';
import type { Bus } from '../coordination/coordination.ts';
import type { Database } from '../database/database.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { Logger } from '../log/logger.ts';
import type { BrowserRequest } from '../routes/browser-request.ts';
import type { Login } from './identity.ts';
import { createCookieRotation, type IssuedCookie } from './cookie-rotation.ts';
import { createSessionCookies, type CookieClaims, type SessionCookies } from './session-cookies.ts';
import { deleteExpiredSessions, findBrowserSession, insertSession, type BrowserSessionRow } from './session-queries.ts';
import { endsOf, type SessionProvider } from './sessions.ts';
import { invalidToken } from './tokens.ts';
import type { UserToLogIn } from './user-queries.ts';

/** Who a browser is, and the header Set-Cookie when its cookie has been replaced. */
export interface BrowserLogin extends Login {
  readonly setCookie?: string | undefined;
}

/** The session of a browser as it is told to it. */
interface OpenedSession {
  readonly setCookie: string;
  readonly csrfToken: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

type Came = Pick<AuditedCall, 'clientIp' | 'userAgent'>;

/**
 * Sessions whose browser has a cookie in place of a token. The cookie is replaced as time goes by; the one before counts until
 * the new one has come back and for a moment after, so that neither requests at once nor a lost answer end a session.
 */
export interface BrowserSessions {
  /**
   * Begins a session, always a new one; that which the browser had ends.
   * @throws {GatewayError} `invalid_credentials` when the password was changed since it was checked
   */
  open(user: UserToLogIn, request: BrowserRequest, came: Came, provider?: SessionProvider): Promise<OpenedSession>;
  /**
   * Who sends a request; undefined without a cookie that counts, which it does only beside the header of the CSRF token.
   * @throws {GatewayError} `invalid_token`, `csrf_token_invalid`
   */
  identify(request: BrowserRequest, call: AuditedCall): Promise<BrowserLogin | undefined>;
  /** The same for an upgrade, which has no such header: the origin of the page must have been checked. */
  identifyUpgrade(request: BrowserRequest, call: AuditedCall): Promise<Login | undefined>;
  /** Replaces the cookie now. @returns the header Set-Cookie */
  renew(request: BrowserRequest): Promise<string | undefined>;
  /** The header Set-Cookie that takes the cookie back. */
  renderEnd(request: BrowserRequest): string;
  csrfTokenOf(sessionId: string): string;
}

interface Parts {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Logger;
  readonly config: Pick<
    Config,
    'JWT_SECRET' | 'JWT_SECRET_PREVIOUS' | 'JWT_EXPIRY' | 'JWT_REFRESH_EXPIRY' | 'JWT_SESSION_EXPIRY' | 'PUBLIC_URL'
  >;
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createBrowserSessions(parts: Parts): BrowserSessions {
  const { database, config } = parts;
  const cookies = createSessionCookies(config.JWT_SECRET?.reveal() ?? '', config.JWT_SECRET_PREVIOUS?.reveal());
  const isSecure = ({ calledOrigin }: BrowserRequest): boolean =>
    calledOrigin.startsWith('https:') || config.PUBLIC_URL?.toLowerCase().startsWith('https:') === true;
  const findClaims = (request: BrowserRequest) => cookies.find(request.cookie, isSecure(request));
  const rotation = createCookieRotation(parts);
  const render = (cookie: IssuedCookie | undefined, request: BrowserRequest): string | undefined =>
    cookie && renderIssued(cookies, cookie, isSecure(request));

  const identify = async (
    claims: CookieClaims,
    request: BrowserRequest,
    call: AuditedCall,
    check: () => void,
  ): Promise<BrowserLogin> => {
    const session = await findBrowserSession(database, claims.sessionId);
    if (session === undefined) throw invalidToken();
    check();
    const setCookie = render(await rotation.accept(claims, session, call), request);
    return { ...loginOf(claims, session), setCookie };
  };

  return {
    async open(user, request, came, provider) {
      const before = findClaims(request);
      const issued = await insertBrowserSession(database, config, user, { ...came, provider });
      if (before !== undefined) await rotation.end(before);
      await deleteExpiredSessions(database);
      return {
        setCookie: renderIssued(cookies, issued, isSecure(request)),
        csrfToken: cookies.csrfTokenOf(issued.sessionId),
        expires_at: issued.expiresAt.toISOString(),
      };
    },

    async identify(request, call) {
      const claims = findClaims(request);
      const { csrfToken, method } = request;
      if (claims === undefined || csrfToken === undefined) return undefined;
      return identify(claims, request, call, () => {
        if (!safeMethods.has(method) && !cookies.isCsrfToken(csrfToken, claims.sessionId)) {
          throw new GatewayError('csrf_token_invalid', { message: 'GET /api/v1/auth/session answers csrf_token' });
        }
      });
    },

    async identifyUpgrade(request, call) {
      const claims = findClaims(request);
      return claims && identify(claims, request, call, () => {});
    },

    async renew(request) {
      const claims = findClaims(request);
      const session = claims && (await findBrowserSession(database, claims.sessionId));
      return session && render(await rotation.replace(claims, session), request);
    },

    renderEnd: (request) => cookies.renderEnd(isSecure(request)),
    csrfTokenOf: (sessionId) => cookies.csrfTokenOf(sessionId),
  };
}

const renderIssued = (cookies: SessionCookies, { expiresAt, ...claims }: IssuedCookie, secure: boolean): string =>
  cookies.render(claims, Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000)), secure);

/** @throws {GatewayError} `invalid_credentials` */
async function insertBrowserSession(
  database: Database,
  config: Parts['config'],
  user: UserToLogIn,
  began: Came & { readonly provider: SessionProvider | undefined },
): Promise<IssuedCookie> {
  const nowMs = Date.now();
  const endsAtMs = nowMs + config.JWT_SESSION_EXPIRY;
  const { refreshUntil: expiresAt } = endsOf(config, nowMs, endsAtMs);
  // The token is given to nobody: programs sign in for one of their own.
  const ids = { sessionId: randomUUID(), tokenId: randomUUID(), cookieId: randomUUID() };
  const inserted = await insertSession(database, user, ids, { expiresAt, endsAt: new Date(endsAtMs) }, began);
  if (!inserted) throw new GatewayError('invalid_credentials');
  return { sessionId: ids.sessionId, cookieId: ids.cookieId, expiresAt };
}

const loginOf = ({ sessionId }: CookieClaims, session: BrowserSessionRow): Login => ({
  caller: {
    kind: 'user',
    id: session.user_id,
    username: session.username,
    role: session.role,
    // A user who never gave the password that was made up for them need not replace it.
    mustChangePassword: session.must_change_password && session.provider_name === null,
    session: { id: sessionId, kind: 'cookie' },
  },
  sessionId,
  expiresAtMs: session.ends_at.getTime(),
});

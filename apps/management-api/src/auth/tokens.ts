import { GatewayError } from '@portcullis/platform/http/gateway-error';
import jwt from 'jsonwebtoken';
import { randomUUID } from 'node:crypto';
import type { UserRow } from './user-queries.ts';

const algorithm = 'HS256';
const issuer = 'portcullis';
const audience = 'portcullis-management';

/** How long after its issue a token can be exchanged for a fresh one, also when it has expired. Seconds. */
const refreshWindow = 7 * 86_400;

export interface SignedToken {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

export interface TokenClaims {
  readonly userId: number;
  readonly expiresAtMs: number;
}

/** Login tokens: JWTs, signed with HMAC-SHA-256 and never accepted under another algorithm. */
export interface Tokens {
  sign(user: Pick<UserRow, 'id' | 'username' | 'email' | 'role'>): SignedToken;
  /** @throws {GatewayError} `invalid_token` */
  parseOrThrow(token: string): TokenClaims;
  /** The same for a token that may have expired, though not long ago. @throws {GatewayError} `invalid_token` */
  parseForRefreshOrThrow(token: string): TokenClaims;
}

/** @param lifetimeMs rounded down to whole seconds */
export function createTokens(secret: string, lifetimeMs: number): Tokens {
  const lifetime = Math.floor(lifetimeMs / 1_000);
  const parse = (token: string, options: Pick<jwt.VerifyOptions, 'ignoreExpiration' | 'maxAge'>) =>
    readClaimsOrThrow(token, secret, { ...options, algorithms: [algorithm], issuer, audience });

  return {
    sign({ id, username, email, role }) {
      const issuedAt = Math.floor(Date.now() / 1_000);
      const claims = { sub: String(id), name: username, email, role, iat: issuedAt, exp: issuedAt + lifetime };
      const token = jwt.sign(claims, secret, { algorithm, issuer, audience, jwtid: randomUUID() });
      return { token, expires_at: new Date((issuedAt + lifetime) * 1_000).toISOString() };
    },
    parseOrThrow: (token) => parse(token, {}),
    parseForRefreshOrThrow: (token) => parse(token, { ignoreExpiration: true, maxAge: refreshWindow }),
  };
}

function readClaimsOrThrow(
  token: string,
  secret: string,
  options: jwt.VerifyOptions & { complete?: false },
): TokenClaims {
  try {
    const claims = jwt.verify(token, secret, options);
    const userId = typeof claims === 'object' ? Number(claims.sub) : Number.NaN;
    if (Number.isSafeInteger(userId) && typeof claims === 'object' && claims.exp !== undefined) {
      return { userId, expiresAtMs: claims.exp * 1_000 };
    }
  } catch {
    // Which check failed is nobody's business but the signer's.
  }
  throw new GatewayError('invalid_token', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}

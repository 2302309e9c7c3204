import { GatewayError } from '../http/gateway-error.ts';
import jwt from 'jsonwebtoken';
import type { UserRow } from './user-queries.ts';

const algorithm = 'HS256';
const issuer = 'portcullis';
const audience = 'portcullis-management';

/** What a token says about itself. Whether it still counts is for the session to say. */
export interface TokenClaims {
  readonly userId: number;
  readonly sessionId: string;
  /** `jti`, one per token. */
  readonly tokenId: string;
  readonly expiresAtMs: number;
  /** The sign-in provider that vouched for the user; undefined when they gave their password. */
  readonly provider?: string | undefined;
}

export type TokenIds = Pick<TokenClaims, 'sessionId' | 'tokenId' | 'provider'>;

/** Login tokens: JWTs, signed with HMAC-SHA-256 and never accepted under another algorithm. */
export interface Tokens {
  /** @param issuedAtMs rounded down to whole seconds, as is the end */
  sign(
    user: Pick<UserRow, 'id' | 'username' | 'email' | 'role'>,
    ids: TokenIds,
    issuedAtMs: number,
    expiresAtMs: number,
  ): string;
  /** Undefined for a token that is not ours, or has expired. */
  find(token: string): TokenClaims | undefined;
  /** @throws {GatewayError} `invalid_token` */
  parseOrThrow(token: string): TokenClaims;
  /** The same for a token that may have expired. @throws {GatewayError} `invalid_token` */
  parseExpiredOrThrow(token: string): TokenClaims;
}

/** @param previous whose tokens count until they end; it signs none */
export function createTokens(secret: string, previous?: string): Tokens {
  const secrets = previous === undefined ? [secret] : [secret, previous];
  const find = (token: string, options: Pick<jwt.VerifyOptions, 'ignoreExpiration'> = {}): TokenClaims | undefined => {
    for (const known of secrets) {
      const claims = findClaims(token, known, { ...options, algorithms: [algorithm], issuer, audience });
      if (claims !== undefined) return claims;
    }
    return undefined;
  };
  const parse = (...given: Parameters<typeof find>): TokenClaims => {
    const claims = find(...given);
    if (claims === undefined) throw invalidToken();
    return claims;
  };

  return {
    sign({ id, username, email, role }, { sessionId, tokenId, provider }, issuedAtMs, expiresAtMs) {
      const [iat, exp] = [issuedAtMs, expiresAtMs].map((ms) => Math.floor(ms / 1_000));
      const who = { sub: String(id), name: username, username, email, role };
      const claims = { ...who, sid: sessionId, iat, exp, ...(provider !== undefined && { idp: provider }) };
      return jwt.sign(claims, secret, { algorithm, issuer, audience, jwtid: tokenId });
    },
    find: (token) => find(token),
    parseOrThrow: (token) => parse(token),
    parseExpiredOrThrow: (token) => parse(token, { ignoreExpiration: true }),
  };
}

/** Whether a token says that it is of a login here. It is not verified: what says so is kept from others, and opens nothing. */
export function claimsLogin(token: string): boolean {
  try {
    const claims = jwt.decode(token);
    return typeof claims === 'object' && claims?.aud === audience;
  } catch {
    return false;
  }
}

export const invalidToken = (): GatewayError =>
  new GatewayError('invalid_token', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

function findClaims(
  token: string,
  secret: string,
  options: jwt.VerifyOptions & { complete?: false },
): TokenClaims | undefined {
  try {
    const claims = jwt.verify(token, secret, options);
    if (typeof claims === 'object' && claims.exp !== undefined) {
      const [userId, sessionId, tokenId] = [Number(claims.sub), claims['sid'] as unknown, claims.jti];
      if (Number.isSafeInteger(userId) && isUuid(sessionId) && isUuid(tokenId)) {
        const provider: unknown = claims['idp'];
        return {
          userId,
          sessionId,
          tokenId,
          expiresAtMs: claims.exp * 1_000,
          provider: typeof provider === 'string' ? provider : undefined,
        };
      }
    }
  } catch {
    // Which check failed is told to no client.
  }
  return undefined;
}

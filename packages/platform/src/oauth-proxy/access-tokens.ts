import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { TokenClaims } from '../identity/tokens.ts';

const algorithm = 'ES256';
/** RFC 9068: no other token that is signed with the same key is taken for one. */
const type = 'at+jwt';

/** A key whose tokens are good. */
export interface VerificationKey {
  readonly kid: string;
  readonly key: KeyObject;
  /** As it is published. */
  readonly jwk: webcrypto.JsonWebKey;
}

export const openVerificationKey = (kid: string, jwk: webcrypto.JsonWebKey): VerificationKey => ({
  kid,
  jwk,
  key: createPublicKey({ key: jwk, format: 'jwk' }),
});

/** What an access token says. */
export interface AccessTokenFacts {
  /** The proxy's origin, which is also what the token is good for. */
  readonly issuer: string;
  readonly userId: number;
  readonly clientId: string;
  readonly grantId: number;
  /** One per token. */
  readonly tokenId: string;
  readonly scope: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export function signAccessToken(facts: AccessTokenFacts, { kid, key }: { kid: string; key: KeyObject }): string {
  const [iat, exp] = [facts.issuedAtMs, facts.expiresAtMs].map((ms) => Math.floor(ms / 1_000));
  const claims = { client_id: facts.clientId, grant: facts.grantId, scope: facts.scope, iat, exp };
  return jwt.sign(claims, key, {
    header: { alg: algorithm, typ: type, kid },
    algorithm,
    issuer: facts.issuer,
    audience: facts.issuer,
    subject: String(facts.userId),
    jwtid: facts.tokenId,
  });
}

/** What a data plane learns from an access token; whether its grant still stands is for the snapshot to say. */
export interface AccessTokenClaims extends TokenClaims {
  readonly grantId: number;
}

/** The one by whose id a token is signed. */
export type FindKey = (kid: string) => VerificationKey | undefined;

/**
 * Undefined for a token that is not ours, is good for another proxy, or has ended.
 * @param issuer of the proxy
 */
export function readAccessToken(token: string, issuer: string, findKey: FindKey): AccessTokenClaims | undefined {
  try {
    const header = readHeader(token);
    const known = header.alg === algorithm && header.typ === type ? findKey(header.kid) : undefined;
    if (known === undefined) return undefined;
    const claims = jwt.verify(token, known.key, { algorithms: [algorithm], issuer, audience: issuer });
    return typeof claims === 'string' ? undefined : claimsOf(claims);
  } catch {
    // Which check failed is told to no client.
    return undefined;
  }
}

/** The key by which a token says that it is signed; undefined for what is no access token. Nothing of it is checked. */
export function keyIdOf(token: string): string | undefined {
  try {
    const { typ, kid } = readHeader(token);
    return typ === type ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** Whose key and kind the token says it is: checked with the signature. */
function readHeader(token: string): { alg: unknown; typ: unknown; kid: string } {
  const [encoded = ''] = token.split('.', 1);
  const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
  const [alg, typ, kid] = ['alg', 'typ', 'kid'].map((name): unknown => Reflect.get(Object(header), name));
  return { alg, typ, kid: typeof kid === 'string' ? kid : '' };
}

function claimsOf({ sub, exp, jti, ...claims }: jwt.JwtPayload): AccessTokenClaims | undefined {
  const [userId, grantId] = [Number(sub), claims['grant'] as unknown];
  if (!Number.isSafeInteger(userId) || typeof grantId !== 'number' || exp === undefined || jti === undefined) {
    return undefined;
  }
  return { userId, grantId, sessionId: '', tokenId: jti, expiresAtMs: exp * 1_000, provider: 'oauth-proxy' };
}

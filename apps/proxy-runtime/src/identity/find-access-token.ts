import { hashKey, isSignedToken } from '@portcullis/core/identity/presented-key';
import {
  keyIdOf,
  readAccessToken,
  type AccessTokenClaims,
  type VerificationKey,
} from '@portcullis/platform/oauth-proxy/access-tokens';
import type { Exchange } from '../exchange/exchange.ts';

const bearer = /^bearer +(\S+)\s*$/i;

/**
 * The token where the OAuth proxy's clients have theirs, on a proxy that issues its own. Undefined for anything else, such as an
 * API key, and beside `X-API-Key`, which comes first.
 */
export function findAccessToken({ proxy, request: { headers } }: Exchange): string | undefined {
  if (proxy.oauth?.mode !== 'gateway' || headers['x-api-key'] !== undefined) return undefined;
  const token = bearer.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && isSignedToken(token) ? token : undefined;
}

/** Whether a header carries a token that a proxy here issued: it goes to no target of any proxy, whichever credential counted. */
export function isOwnToken(value: string, { oauth }: Exchange['snapshot']): boolean {
  const token = value.slice(value.lastIndexOf(' ') + 1);
  const kid = isSignedToken(token) ? keyIdOf(token) : undefined;
  return kid !== undefined && oauth.keys.has(kid);
}

/** Checks an access token of the exchange's proxy. */
export type CheckAccessToken = (token: string, exchange: Exchange) => AccessTokenClaims | undefined;

interface Checked {
  readonly claims: AccessTokenClaims;
  readonly issuer: string;
  readonly kid: string;
  readonly key: VerificationKey;
}

const maxKept = 2_000;

/** A signature is checked once: what came of it is kept for the next request with the same token, while its key is published. */
export function createAccessTokenCheck(): CheckAccessToken {
  const kept = new Map<string, Checked>();
  return (token, { proxy, snapshot, receivedAt }) => {
    const { oauth } = proxy;
    if (oauth === undefined) return undefined;
    const name = hashKey(token);
    const known = kept.get(name);
    if (known !== undefined && known.issuer === oauth.issuer && snapshot.oauth.keys.get(known.kid) === known.key) {
      return known.claims.expiresAtMs > receivedAt ? known.claims : undefined;
    }
    let key: VerificationKey | undefined;
    const claims = readAccessToken(token, oauth.issuer, (kid) => (key = snapshot.oauth.keys.get(kid)));
    if (claims === undefined || key === undefined) return undefined;
    kept.set(name, { claims, issuer: oauth.issuer, kid: key.kid, key });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return claims;
  };
}

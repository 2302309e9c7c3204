import { isOfManyTenants, type OAuthProvider } from '../oauth/oauth-provider.ts';
import { firstVersionIssuer, tenantTemplate } from '../oauth/provider-server.ts';
import type { TokenFacts } from './token-facts.ts';
import type { ProviderKeys } from './provider-keys.ts';
import jwt from 'jsonwebtoken';

/** What came of a signed token: whose it is, or nothing; or that its key is none of those that are known. */
export type SignedReading =
  | { readonly kind: 'good'; readonly facts: TokenFacts }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown key' };

const refused: SignedReading = { kind: 'refused' };
const maxTokenLength = 16_384;
const toleranceS = 30;

/**
 * Checks signature, times, issuer and kind of a provider's signed access token, with nothing but what is known here. For whom
 * it was issued is left to the proxy.
 */
export function readSignedToken(
  token: string,
  provider: OAuthProvider,
  { issuer, find }: ProviderKeys,
  nowMs: number,
): SignedReading {
  const header = token.length > maxTokenLength ? undefined : readPart(token, 0);
  if (header === undefined || !isAccessType(header['typ'])) return refused;
  const keys = find(typeof header['kid'] === 'string' ? header['kid'] : undefined);
  if (keys.length === 0) return { kind: 'unknown key' };
  for (const { key, algorithms } of keys) {
    try {
      const options = {
        algorithms: [...algorithms],
        clockTimestamp: Math.floor(nowMs / 1_000),
        clockTolerance: toleranceS,
      };
      const claims = jwt.verify(token, key, options);
      return typeof claims === 'string' ? refused : factsOf(claims, provider, issuer);
    } catch {
      // Which check failed is told to no client.
    }
  }
  return refused;
}

/** RFC 9068, and what providers wrote before it. */
const accessTypes: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

const isAccessType = (type: unknown): boolean =>
  type === undefined || (typeof type === 'string' && accessTypes.has(type.toLowerCase()));

function factsOf(claims: jwt.JwtPayload, provider: OAuthProvider, issuer: string): SignedReading {
  const { iss, sub, aud, exp } = claims;
  const isComplete = typeof iss === 'string' && typeof sub === 'string' && sub !== '' && exp !== undefined;
  if (!isComplete || isOtherToken(claims) || !isIssuerOf(provider, issuer, iss, claims['tid'])) return refused;
  return {
    kind: 'good',
    facts: { issuer: iss, subject: sub, audiences: [aud ?? []].flat(), expiresAtMs: exp * 1_000 },
  };
}

/**
 * An id token, a refresh token or one that only the holder of a key may use: signed with the same keys, and good for nothing
 * here. Keycloak says in a claim what a token is.
 */
const isOtherToken = (claims: jwt.JwtPayload): boolean =>
  ['nonce', 'at_hash', 'c_hash', 'events', 'cnf'].some((name) => claims[name] !== undefined) ||
  (typeof claims['typ'] === 'string' && claims['typ'].toLowerCase() !== 'bearer');

/**
 * Entra's access tokens are of its first version where the API that they are for did not ask for the second, wherever they
 * were asked for: their issuer is on another host. Where the provider stands for many tenants, those that may come are named.
 */
function isIssuerOf(provider: OAuthProvider, known: string, claimed: string, tenant: unknown): boolean {
  if (provider.type !== 'azure_ad' || provider.addresses.kind !== 'issuer') return claimed === known;
  if (typeof tenant !== 'string' || !/^[\da-f-]{36}$/.test(tenant)) return false;
  const asked = provider.addresses.issuer;
  const mayCome = isOfManyTenants(asked)
    ? provider.tenants.includes(tenant)
    : asked.pathname.split('/')[1]?.toLowerCase() === tenant;
  const own = known.includes(tenantTemplate) ? known.replace(tenantTemplate, tenant) : known;
  return mayCome && [own, `${asked.origin}/${tenant}/v2.0`, `${firstVersionIssuer}/${tenant}/`].includes(claimed);
}

function readPart(token: string, index: number): Readonly<Record<string, unknown>> | undefined {
  try {
    const part: unknown = JSON.parse(Buffer.from(token.split('.', 3)[index] ?? '', 'base64url').toString());
    return Object(part) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

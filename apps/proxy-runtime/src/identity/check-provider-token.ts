import { hashKey, isSignedToken } from '@portcullis/core/identity/presented-key';
import type { KeyWatch } from '@portcullis/platform/oauth-upstream/key-watch';
import type { ProviderKeys } from '@portcullis/platform/oauth-upstream/provider-keys';
import { readSignedToken } from '@portcullis/platform/oauth-upstream/read-signed-token';
import type { TokenFacts } from '@portcullis/platform/oauth-upstream/token-facts';
import { checkOf, isForProxy } from '@portcullis/platform/oauth-upstream/token-rule';
import type { IntrospectionMethod, TokenIntrospector } from '@portcullis/platform/oauth-upstream/token-introspector';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import { claimsLogin } from '@portcullis/platform/identity/tokens';
import type { Exchange } from '../exchange/exchange.ts';
import { identityName } from '../snapshot/compile-oauth.ts';
import type { OAuthEntries, ProviderTokenClaims, UpstreamEntry } from '../snapshot/snapshot.ts';
import { isOwnToken } from './find-access-token.ts';

/** By what tokens of providers are checked. */
export interface ProviderTokens {
  readonly keys: Pick<KeyWatch, 'find' | 'learn'>;
  readonly questions: TokenIntrospector;
}

const bearer = /^bearer +(\S+)\s*$/i;

/**
 * The token where clients have it, on a proxy that forwards those of its provider. Undefined for an API key, which may stand in
 * the same place, and beside `X-API-Key`, which comes first.
 */
export function findProviderToken({ proxy, request: { headers }, snapshot }: Exchange): string | undefined {
  if (proxy.oauth?.upstream === undefined || headers['x-api-key'] !== undefined) return undefined;
  const token = bearer.exec(headers.authorization ?? '')?.[1];
  return token === undefined || snapshot.keysByHash.get(hashKey(token)) !== undefined ? undefined : token;
}

/** What came of a check: whose the token is; that it is not good; or that nobody could say. */
export type CheckedToken = ProviderTokenClaims | 'refused' | 'unavailable';

/** Checks a token of the provider of the exchange's proxy. */
export type CheckProviderToken = (token: string, exchange: Exchange) => CheckedToken | Promise<CheckedToken>;

export function createProviderTokenCheck({ keys, questions }: ProviderTokens): CheckProviderToken {
  const checkSigned = createSignedCheck(keys);

  const ask = async (token: string, question: IntrospectionMethod, { provider, rule, entries }: Subject) => {
    try {
      const facts = await questions.ask(provider, question, token);
      return facts !== undefined && isForProxy(facts.audiences, rule, provider)
        ? claimsOf(facts, provider, rule, entries)
        : 'refused';
    } catch {
      return 'unavailable';
    }
  };

  return (token, { proxy: { oauth }, snapshot, receivedAt }) => {
    const entries = snapshot.oauth;
    const rule = oauth?.upstream;
    const provider = rule && entries.providers.get(rule.providerId);
    if (rule === undefined || provider === undefined) return 'unavailable';
    const check = checkOf(rule, provider, isSignedToken(token));
    if (check !== 'signature') {
      // One that opens something here is none of the provider's business.
      const isOurs = isOwnToken(token, snapshot) || claimsLogin(token);
      return isOurs ? 'refused' : ask(token, check, { provider, rule, entries });
    }
    const judge = (facts: TokenFacts | 'refused' | 'unavailable') =>
      typeof facts === 'string' || !isForProxy(facts.audiences, rule, provider)
        ? refusalOf(facts)
        : claimsOf(facts, provider, rule, entries);
    const facts = checkSigned(token, provider, receivedAt);
    return facts instanceof Promise ? facts.then(judge) : judge(facts);
  };
}

interface Subject {
  readonly provider: OAuthProvider;
  readonly rule: UpstreamEntry;
  readonly entries: OAuthEntries;
}

const refusalOf = (facts: TokenFacts | 'refused' | 'unavailable') => (facts === 'unavailable' ? facts : 'refused');

/** Whose the token is; refused where the provider calls no user here so. */
function claimsOf(
  { issuer, subject, expiresAtMs }: TokenFacts,
  { key, name }: OAuthProvider,
  { providerId }: UpstreamEntry,
  { identities }: OAuthEntries,
): CheckedToken {
  const identity = identityName(key, issuer, subject);
  const userId = identities.get(identity);
  if (userId === undefined) return 'refused';
  return { userId, providerId, identity, sessionId: '', tokenId: '', expiresAtMs, provider: name };
}

interface Kept {
  readonly provider: OAuthProvider;
  readonly keys: ProviderKeys;
  readonly facts: TokenFacts;
}

const maxKept = 2_000;

/**
 * A signature is checked once: what came of it is kept for the next request with the same token, until the keys are read again.
 * Only a token whose key is not known waits for the provider, which is asked now and then.
 */
function createSignedCheck(watch: ProviderTokens['keys']) {
  const kept = new Map<string, Kept>();
  const read = (token: string, name: string, provider: OAuthProvider, keys: ProviderKeys, nowMs: number) => {
    const reading = readSignedToken(token, provider, keys, nowMs);
    if (reading.kind !== 'good') return reading.kind;
    kept.delete(name);
    kept.set(name, { provider, keys, facts: reading.facts });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return reading.facts;
  };
  return (
    token: string,
    provider: OAuthProvider,
    nowMs: number,
  ): TokenFacts | 'refused' | 'unavailable' | Promise<TokenFacts | 'refused' | 'unavailable'> => {
    const name = hashKey(token);
    const keys = watch.find(provider);
    const known = kept.get(name);
    if (known !== undefined && known.provider === provider && known.keys === keys) {
      return known.facts.expiresAtMs > nowMs ? known.facts : 'refused';
    }
    const facts = keys && read(token, name, provider, keys, nowMs);
    if (facts !== undefined && facts !== 'unknown key') return facts;
    return watch.learn(provider).then((learnt) => {
      if (learnt === undefined) return 'unavailable';
      const again = read(token, name, provider, learnt, nowMs);
      return again === 'unknown key' ? 'refused' : again;
    });
  };
}

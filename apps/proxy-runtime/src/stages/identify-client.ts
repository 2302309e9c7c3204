import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { bareToken, findSessionToken, isSessionMalformed } from '@portcullis/core/identity/presented-key';
import type { TokenClaims } from '@portcullis/platform/identity/tokens';
import { createIdentify } from '@portcullis/platform/traffic/identify';
import type { Exchange } from '../exchange/exchange.ts';
import { createAccessTokenCheck, findAccessToken, type CheckAccessToken } from '../identity/find-access-token.ts';
import {
  createProviderTokenCheck,
  findProviderToken,
  type CheckedToken,
  type CheckProviderToken,
  type ProviderTokens,
} from '../identity/check-provider-token.ts';
import { findKey } from '../identity/find-key.ts';
import { findLogin } from '../identity/find-login.ts';
import { renderChallenge } from '../identity/render-challenge.ts';

/** What a token says about itself, where it is one of a session; undefined for one that is not ours or has expired. */
export type ReadToken = (token: string) => TokenClaims | undefined;

const byKey = createIdentify<Exchange>(findKey);

/**
 * Finds out who calls: by the key, as on every data plane, by the token of a session, or by an access token of the OAuth proxy.
 * `X-API-Key` comes first; a session token leaves `Authorization` to the target. Where the proxy has an authorization server, a
 * refusal says where it is.
 */
export function createIdentifyClient(
  readToken: ReadToken,
  providerTokens: ProviderTokens | undefined,
): RequestStage<Exchange> {
  const checkAccessToken = createAccessTokenCheck();
  const checkProviderToken = providerTokens && createProviderTokenCheck(providerTokens);
  const identify = (exchange: Exchange) => {
    const { headers } = exchange.request;
    if (isSessionMalformed(headers)) return deny('invalid_token', { message: bareToken });
    const token = findSessionToken(headers);
    if (token !== undefined) return identifyBySession(exchange, token, readToken);
    const accessToken = findAccessToken(exchange);
    if (accessToken !== undefined) return identifyByAccessToken(exchange, accessToken, checkAccessToken);
    const providerToken = findProviderToken(exchange);
    if (providerToken !== undefined && checkProviderToken !== undefined)
      return identifyByProviderToken(exchange, providerToken, checkProviderToken);
    return byKey.run(exchange);
  };
  return {
    name: byKey.name,
    run(exchange) {
      const verdict = identify(exchange);
      if (exchange.proxy.oauth === undefined) return verdict;
      return verdict instanceof Promise
        ? verdict.then((later) => challenge(exchange, later))
        : challenge(exchange, verdict);
    },
  };
}

function identifyBySession(exchange: Exchange, token: string, readToken: ReadToken): Verdict {
  exchange.presentedKey = { token, header: 'x-session-token' };
  const claims = readToken(token);
  const login = claims && findLogin(claims, exchange.snapshot, exchange.proxy);
  if (login === undefined) return deny('invalid_token');
  exchange.user = login;
  return next;
}

function identifyByAccessToken(exchange: Exchange, token: string, check: CheckAccessToken): Verdict {
  exchange.presentedKey = { token, header: 'authorization' };
  const claims = check(token, exchange);
  const login = claims && findLogin(claims, exchange.snapshot, exchange.proxy);
  const providerToken = claims && openProviderToken(exchange, claims.grantId);
  if (login === undefined || providerToken === undefined) return deny('invalid_token');
  exchange.user = { ...login, providerToken };
  return next;
}

/** The token goes on to the target as it came. */
function identifyByProviderToken(
  exchange: Exchange,
  token: string,
  check: CheckProviderToken,
): Verdict | Promise<Verdict> {
  exchange.presentedKey = { token, header: 'authorization' };
  const decide = (checked: CheckedToken): Verdict => {
    if (checked === 'unavailable') return deny('service_unavailable', { headers: { 'retry-after': '5' } });
    const login = checked === 'refused' ? undefined : findLogin(checked, exchange.snapshot, exchange.proxy);
    if (login === undefined) return deny('invalid_token');
    exchange.user = { ...login, providerToken: token };
    return next;
  };
  const checked = check(token, exchange);
  return checked instanceof Promise ? checked.then(decide) : decide(checked);
}

/** Undefined where it was sealed with a key that is not known any more: the client gets another one by signing in anew. */
function openProviderToken({ snapshot }: Exchange, grantId: number): string | undefined {
  try {
    return snapshot.oauth.grants.get(grantId)?.providerToken();
  } catch {
    return undefined;
  }
}

function challenge(exchange: Exchange, verdict: Verdict): Verdict {
  if (verdict.kind !== 'deny' || verdict.denial.reason === 'service_unavailable') return verdict;
  const { reason, headers, ...denial } = verdict.denial;
  const challenged = renderChallenge(exchange, reason === 'key_missing' ? undefined : 'invalid_token');
  return challenged === undefined
    ? verdict
    : deny(reason, { ...denial, headers: { ...headers, 'www-authenticate': challenged } });
}

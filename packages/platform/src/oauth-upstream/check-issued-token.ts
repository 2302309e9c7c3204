import { isSignedToken } from '@portcullis/core/identity/presented-key';
import type { ProviderClient } from '../oauth/provider-client.ts';
import { openProviderKeys } from './provider-keys.ts';
import { readSignedToken } from './read-signed-token.ts';
import { checkOf, isForProxy, type TokenRule } from './token-rule.ts';

/** What the provider calls the user in a token. */
interface TokenUser {
  readonly issuer: string;
  readonly subject: string;
}

/** The provider gave a token that the proxy would not take. */
export class TokenNotForProxy extends Error {
  override name = 'TokenNotForProxy';
}

/**
 * Checks a token that a provider has just given as the proxy will, so that no client gets one with which it is refused.
 * @throws {TokenNotForProxy} with what has to be configured; what goes wrong while the provider is asked
 */
export async function checkIssuedToken(client: ProviderClient, token: string, rule: TokenRule): Promise<TokenUser> {
  const { provider } = client;
  const facts = await readToken(client, token, rule);
  if (facts === undefined) throw new TokenNotForProxy('The provider gave a token that cannot be checked');
  if (!isForProxy(facts.audiences, rule, provider)) {
    const audiences = (facts.audiences ?? []).slice(0, 5).map((one) => JSON.stringify(one.slice(0, 200)));
    throw new TokenNotForProxy(
      `The token of the provider is for ${audiences.join(', ') || 'nobody'}, not for this proxy`,
    );
  }
  return { issuer: facts.issuer, subject: facts.subject };
}

async function readToken(client: ProviderClient, token: string, rule: TokenRule) {
  const check = checkOf(rule, client.provider, isSignedToken(token));
  if (check !== 'signature') return client.ask(check, token);
  const { issuer, jwks_uri: url } = await client.server();
  if (url === undefined) return undefined;
  const keys = openProviderKeys(issuer, await client.readJson(url));
  const reading = readSignedToken(token, client.provider, keys, Date.now());
  return reading.kind === 'good' ? reading.facts : undefined;
}

import * as oauth from 'oauth4webapi';
import type { GuardedFetch } from '../network/guarded-fetch.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { githubEmailOf, readIdentity, subjectOf, type ProviderIdentity } from './provider-identity.ts';
import type { ProviderServer } from './provider-server.ts';
import type { Tokens } from './tokens.ts';

/** A provider with what it says of itself, and how it is reached. */
export interface ProviderConnection {
  readonly provider: OAuthProvider;
  readonly client: oauth.Client;
  readonly options: {
    readonly [oauth.customFetch]: GuardedFetch['fetch'];
    readonly [oauth.allowInsecureRequests]: boolean;
  };
  readonly fetch: GuardedFetch['fetch'];
  readonly server: ProviderServer;
}

/** Who the user of the tokens is. @throws when the provider does not tell */
export async function identifyUser(connection: ProviderConnection, tokens: Tokens): Promise<ProviderIdentity> {
  const { provider, server, client, options } = connection;
  const ask = (url: string) => readJson(connection, tokens, url);
  const { claims } = tokens;
  if (server.usersUrl !== undefined) return identifyPlainly(connection, server.usersUrl, { ask, claims });
  const subject = claims?.['sub'];
  if (claims === undefined || typeof subject !== 'string') throw new Error('The provider sent no id token');
  const issuer = String(claims['iss']);
  const own = readIdentity(provider, issuer, subject, claims);
  const isComplete = claims['email'] !== undefined && claims['email_verified'] !== undefined;
  if (own.emailVerified || isComplete || server.userinfo_endpoint === undefined) return own;
  const answer = await oauth.userInfoRequest(server, client, tokens.accessToken, options);
  // By itself: what is verified there is the address there, not the one in the id token.
  const more = await oauth.processUserInfoResponse(server, client, subject, answer);
  const identity = readIdentity(provider, issuer, subject, more);
  return { ...identity, name: identity.name ?? own.name };
}

/** As plain OAuth 2 does it: the provider answers the token with its user. */
async function identifyPlainly(
  { provider, server }: ProviderConnection,
  usersUrl: string,
  { ask, claims }: Pick<Tokens, 'claims'> & { readonly ask: (url: string) => Promise<unknown> },
): Promise<ProviderIdentity> {
  const user = Object(await ask(usersUrl)) as Readonly<Record<string, unknown>>;
  const subject = subjectOf(user);
  if (subject === undefined) throw new Error('The provider does not tell who the user is');
  // OpenID Connect Core 5.3.2. An API that is not of OpenID Connect has a name of its own for the user.
  if (claims !== undefined && user['sub'] !== undefined && user['sub'] !== claims['sub']) {
    throw new Error('The endpoint for users answers with another user than the id token');
  }
  // The address in GitHub's profile is what the user wants to be written to, verified or not.
  const address = provider.type === 'github' ? githubEmailOf(await ask(`${usersUrl}/emails`)) : {};
  return readIdentity(provider, server.issuer, subject, { ...user, ...address });
}

async function readJson(
  { provider, fetch }: ProviderConnection,
  { accessToken }: Tokens,
  url: string,
): Promise<unknown> {
  const accept = provider.type === 'github' ? 'application/vnd.github+json' : 'application/json';
  const answer = await fetch(url, { method: 'GET', headers: { accept, authorization: `Bearer ${accessToken}` } });
  if (answer.status !== 200) throw new Error(`The provider answered ${answer.status} for its user`);
  return answer.json();
}

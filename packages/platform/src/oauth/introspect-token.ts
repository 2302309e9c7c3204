import * as oauth from 'oauth4webapi';
import type { ProviderConnection } from './identify-user.ts';
import { subjectOf } from './provider-identity.ts';
import { authenticate } from './authenticate-client.ts';

/** What a provider says of one of its access tokens. */
export interface TokenAnswer {
  readonly issuer: string;
  readonly subject: string;
  /** For whom it was issued; undefined where the provider does not say. */
  readonly audiences: readonly string[] | undefined;
  /** Undefined where the provider does not say. */
  readonly expiresAtMs: number | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Asks a provider whether one of its access tokens is good, and for whom: as GitHub and Google have it, or as RFC 7662.
 * @returns undefined for one that is not
 * @throws when the provider gives no answer
 */
export async function introspectToken(connection: ProviderConnection, token: string): Promise<TokenAnswer | undefined> {
  const { provider, server, client, options } = connection;
  if (provider.type === 'github') return askGithub(connection, token);
  if (provider.type === 'google') return askGoogle(connection, token);
  if (server.introspection_endpoint === undefined) throw new Error('The provider has no endpoint for introspection');
  const response = await oauth.introspectionRequest(server, client, authenticate(provider, server), token, options);
  const claims = await oauth.processIntrospectionResponse(server, client, response);
  if (!claims.active || claims.sub === undefined || claims.cnf !== undefined) return undefined;
  if (claims.token_type !== undefined && claims.token_type.toLowerCase() !== 'bearer') return undefined;
  if (claims.nbf !== undefined && claims.nbf * 1_000 > Date.now() + toleranceMs) return undefined;
  return {
    issuer: claims.iss ?? server.issuer,
    subject: claims.sub,
    // One without an audience is for the client to which it was issued.
    audiences: claims.aud === undefined ? [claims.client_id].flatMap((id) => id ?? []) : [claims.aud].flat(),
    expiresAtMs: claims.exp === undefined ? undefined : claims.exp * 1_000,
  };
}

const toleranceMs = 30_000;

/** Asks a provider for the user of a token, which says nothing about for whom the token was issued. @throws as above */
export async function askForUser(
  { server, fetch }: ProviderConnection,
  token: string,
): Promise<TokenAnswer | undefined> {
  const url = server.usersUrl ?? server.userinfo_endpoint;
  if (url === undefined) throw new Error('The provider has no endpoint for users');
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const claims = await answerOf(await fetch(url, { method: 'GET', headers }), [401, 403]);
  const subject = claims && subjectOf(claims);
  return subject === undefined
    ? undefined
    : { issuer: server.issuer, subject, audiences: undefined, expiresAtMs: undefined };
}

/** GitHub tells an app about tokens of its own, and of no other. */
async function askGithub({ provider, server, fetch }: ProviderConnection, token: string) {
  const api = (server.usersUrl ?? '').replace(/\/user$/, '');
  const credentials = `${provider.clientId}:${provider.clientSecret?.reveal() ?? ''}`;
  const response = await fetch(`${api}/applications/${encodeURIComponent(provider.clientId)}/token`, {
    method: 'POST',
    headers: {
      accept: 'application/vnd.github+json',
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    },
    body: JSON.stringify({ access_token: token }),
  });
  const claims = await answerOf(response, [404, 422]);
  const subject = claims && subjectOf(Object(claims['user']) as Claims);
  if (claims === undefined || subject === undefined) return undefined;
  const { client_id: app } = Object(claims['app']) as Claims;
  const ends = claims['expires_at'];
  return {
    issuer: server.issuer,
    subject,
    audiences: [String(app)],
    expiresAtMs: typeof ends === 'string' ? Date.parse(ends) : undefined,
  };
}

/** Google's access tokens say nothing to anyone else; its endpoint tells of any of them. */
async function askGoogle({ server, fetch }: ProviderConnection, token: string) {
  const url = new URL('/tokeninfo', server.token_endpoint);
  const response = await fetch(url.href, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ access_token: token }),
  });
  const claims = await answerOf(response, [400, 401]);
  const subject = claims && subjectOf(claims);
  if (claims === undefined || subject === undefined) return undefined;
  return {
    issuer: server.issuer,
    subject,
    audiences: [String(claims['aud'])],
    expiresAtMs: Number(claims['exp']) * 1_000,
  };
}

/** Undefined where the provider says that the token is not good. @throws for any other answer */
async function answerOf(response: Response, refusals: readonly number[]): Promise<Claims | undefined> {
  if (refusals.includes(response.status)) return undefined;
  if (response.status !== 200) throw new Error(`The provider answered ${response.status} about a token`);
  return Object(await response.json()) as Claims;
}

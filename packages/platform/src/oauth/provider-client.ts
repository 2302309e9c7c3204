import * as oauth from 'oauth4webapi';
import type { GuardedFetch } from '../network/guarded-fetch.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { askForUser, introspectToken, type TokenAnswer } from './introspect-token.ts';
import { authenticate } from './authenticate-client.ts';
import { identifyUser, type ProviderConnection } from './identify-user.ts';
import type { Tokens } from './tokens.ts';
import type { ProviderIdentity } from './provider-identity.ts';
import { discoverServer, isBelowIssuer, readsIdToken, serverOfToken, type ProviderServer } from './provider-server.ts';

/** What binds one way of a browser to the provider and back. Each is random and used once. */
export interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** What else goes along, such as the `resource` of RFC 8707. */
export type MoreParameters = Readonly<Record<string, string>>;

/** Speaks to one provider, over connections that no address may lead astray. */
export interface ProviderClient {
  readonly provider: OAuthProvider;
  /** What the provider says of itself, such as its keys; read again after ten minutes. */
  server(): Promise<ProviderServer>;
  /** Where to send the browser, with PKCE S256. @throws when the provider does not tell */
  authorizationUrl(request: {
    readonly secrets: AuthorizationSecrets;
    readonly callback: URL;
    readonly scopes?: readonly string[] | undefined;
    readonly more?: MoreParameters | undefined;
  }): Promise<URL>;
  /**
   * Exchanges what the browser brought back. State, and the issuer where it is told, are checked before.
   * @throws what was wrong with it, or with the provider's answer
   */
  exchange(request: {
    readonly brought: URLSearchParams;
    readonly secrets: AuthorizationSecrets;
    readonly callback: URL;
    /** Those that were asked for. */
    readonly scopes?: readonly string[] | undefined;
    readonly more?: MoreParameters | undefined;
  }): Promise<Tokens>;
  /** @throws as `exchange` */
  refresh(refreshToken: string, more?: MoreParameters): Promise<Tokens>;
  /** Reads a public document of the provider, such as its keys. @throws when it is none */
  readJson(url: string): Promise<unknown>;
  /**
   * Asks about an access token that says nothing itself: whether it is good, and for whom; or, where the provider has no endpoint
   * for that, who its user is.
   * @returns undefined for one that is not good
   * @throws when the provider gives no answer
   */
  ask(question: 'introspection' | 'userinfo', accessToken: string): Promise<TokenAnswer | undefined>;
  /** Who the user of the tokens is, as the provider has it. @throws when it does not tell */
  identify(tokens: Tokens): Promise<ProviderIdentity>;
}

interface Parts {
  readonly provider: OAuthProvider;
  readonly fetch: GuardedFetch['fetch'];
  /** Also speaks to providers without TLS, as there are in development. */
  readonly allowPlainHttp: boolean;
}

/** How long what a provider tells about itself is believed. */
const metadataMs = 600_000;

export function createProviderClient({ provider, fetch, allowPlainHttp }: Parts): ProviderClient {
  const options = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: allowPlainHttp };
  let known: { readonly server: ProviderServer; readonly untilMs: number } | undefined;

  const server = async (): Promise<ProviderServer> => {
    if (known !== undefined && performance.now() < known.untilMs) return known.server;
    const found = await discoverServer(provider, options);
    known = { server: found, untilMs: performance.now() + metadataMs };
    return found;
  };
  const connect = async () => ({
    provider,
    client: { client_id: provider.clientId },
    options,
    fetch,
    server: await server(),
  });

  return {
    provider,
    server,
    authorizationUrl: async (request) => buildAuthorizationUrl(await connect(), request),
    exchange: async (request) => exchangeCode(await connect(), request),
    refresh: async (token, more = {}) => refreshTokens(await connect(), token, more),
    async ask(question, token) {
      const connection = await connect();
      return question === 'introspection' ? introspectToken(connection, token) : askForUser(connection, token);
    },
    identify: async (tokens) => identifyUser(await connect(), tokens),
    async readJson(url) {
      const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
      if (answer.status !== 200) throw new Error(`The provider answered ${answer.status}`);
      return answer.json();
    },
  };
}

/** Whether this is a login by OpenID Connect, in which the provider sends an id token that is read. */
const asksForIdToken = (
  { provider, server }: Pick<ProviderConnection, 'provider' | 'server'>,
  scopes: readonly string[],
): boolean => readsIdToken(provider, server) && scopes.includes('openid');

type Request<Name extends 'authorizationUrl' | 'exchange'> = Parameters<ProviderClient[Name]>[0];

async function buildAuthorizationUrl(
  { provider, server }: ProviderConnection,
  { secrets, callback, scopes = provider.scopes, more = {} }: Request<'authorizationUrl'>,
): Promise<URL> {
  if (server.authorization_endpoint === undefined) throw new Error('The provider does not tell where to sign in');
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    ...more,
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: callback.href,
    scope: scopes.join(' '),
    state: secrets.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(asksForIdToken({ provider, server }, scopes) && { nonce: secrets.nonce }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

async function exchangeCode(
  connection: ProviderConnection,
  { brought, secrets, callback, scopes, more = {} }: Request<'exchange'>,
): Promise<Tokens> {
  const { provider, server, client, options } = connection;
  const parameters = oauth.validateAuthResponse(server, client, ofKnownIssuer(provider, brought), secrets.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate(provider, server),
    parameters,
    callback.href,
    secrets.verifier,
    { ...options, additionalParameters: { ...more } },
  );
  const isLogin = asksForIdToken(connection, scopes ?? provider.scopes);
  return readTokens(connection, response, async (from, answer) => {
    // Where the user is asked for at an address, the provider may leave the id token out.
    const expectsIdToken = isLogin && (server.usersUrl === undefined || (await idTokenIn(answer)) !== undefined);
    const expected = expectsIdToken ? { expectedNonce: secrets.nonce, requireIdToken: true } : {};
    return oauth.processAuthorizationCodeResponse(from, client, answer, expected);
  });
}

/** The name that a provider given by its addresses gives itself counts as known where it can be its own. */
function ofKnownIssuer({ addresses }: OAuthProvider, brought: URLSearchParams): URLSearchParams {
  if (addresses.kind === 'issuer' || !isBelowIssuer(addresses.authorization, brought.get('iss'))) return brought;
  const parameters = new URLSearchParams(brought);
  parameters.delete('iss');
  return parameters;
}

async function refreshTokens(
  connection: ProviderConnection,
  refreshToken: string,
  more: MoreParameters,
): Promise<Tokens> {
  const { provider, server, client, options } = connection;
  const response = await oauth.refreshTokenGrantRequest(server, client, authenticate(provider, server), refreshToken, {
    ...options,
    additionalParameters: { ...more },
  });
  return readTokens(connection, response, (from, answer) => oauth.processRefreshTokenResponse(from, client, answer));
}

async function readTokens(
  { provider, server, options }: ProviderConnection,
  told: Response,
  process: (server: ProviderServer, response: Response) => Promise<oauth.TokenEndpointResponse>,
): Promise<Tokens> {
  const answer = await asError(told);
  const response = readsIdToken(provider, server) ? answer : await withoutIdToken(answer);
  const from = serverOfToken(provider, server, await idTokenIn(response));
  const tokens = await process(from, response);
  // The keys are kept with the server, which outlives what this token names.
  if (tokens.id_token !== undefined) await oauth.validateApplicationLevelSignature(server, response, options);
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    idToken: tokens.id_token,
    expiresInS: tokens.expires_in,
    scope: tokens.scope,
    claims: oauth.getValidatedIdTokenClaims(tokens),
  };
}

/**
 * Where nobody said who signs it, an id token is not read. The address of the user and the one of the tokens are the provider's,
 * over TLS, which OpenID Connect Core 3.1.3.7 takes in place of a signature.
 */
async function withoutIdToken(response: Response): Promise<Response> {
  if (!response.ok || (await idTokenIn(response)) === undefined) return response;
  const { id_token: _, ...rest } = Object(await jsonOf(response)) as Readonly<Record<string, unknown>>;
  return Response.json(rest, { status: response.status });
}

const idTokenIn = async (response: Response): Promise<unknown> =>
  Reflect.get(Object(await jsonOf(response)), 'id_token');

/** Undefined where it is none; the response can be read again. */
const jsonOf = (response: Response): Promise<unknown> =>
  response
    .clone()
    .json()
    .catch(() => undefined);

/** GitHub answers its errors with status 200, which looks like a broken success. */
async function asError(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const body: unknown = await jsonOf(response);
  const error: unknown = Reflect.get(Object(body), 'error');
  if (typeof error !== 'string') return response;
  return Response.json({ ...Object(body), error: githubErrors.get(error) ?? error }, { status: 400 });
}

const githubErrors = new Map([
  ['bad_verification_code', 'invalid_grant'],
  ['incorrect_client_credentials', 'invalid_client'],
  ['redirect_uri_mismatch', 'invalid_grant'],
]);

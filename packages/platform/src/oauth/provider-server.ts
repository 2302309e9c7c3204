import * as oauth from 'oauth4webapi';
import { isOfManyTenants, type OAuthProvider } from './oauth-provider.ts';

/** What a provider says of itself, or what is known of it where it says nothing. */
export interface ProviderServer extends oauth.AuthorizationServer {
  /** Where its users are asked for, who are then not read from an id token; undefined where their claims come with the tokens. */
  readonly usersUrl?: string;
}

type RequestOptions = Pick<
  oauth.HttpRequestOptions<'GET'>,
  typeof oauth.customFetch | typeof oauth.allowInsecureRequests
>;

/** @throws what was wrong with the answer */
export async function discoverServer(provider: OAuthProvider, options: RequestOptions): Promise<ProviderServer> {
  const { addresses, type } = provider;
  if (addresses.kind === 'plain') {
    const { authorization, token, userinfo, keys } = addresses;
    return {
      issuer: authorization.origin,
      authorization_endpoint: authorization.href,
      token_endpoint: token.href,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      usersUrl: userinfo.href,
      ...(keys !== undefined && { jwks_uri: keys.href, id_token_signing_alg_values_supported: signatures }),
    };
  }
  if (type === 'github') return githubServer(addresses.issuer);
  const response = await oauth.discoveryRequest(addresses.issuer, { ...options, algorithm: 'oidc' });
  if (response.status === 404) return discoverPlainServer(addresses.issuer, options);
  const expected = type === 'azure_ad' ? await entraIssuer(addresses.issuer, response) : addresses.issuer;
  return oauth.processDiscoveryResponse(expected, response);
}

/** Nobody said which of them such a provider uses; its keys say what they are for. Never one of a shared secret. */
const signatures = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ');

/** Whether id tokens of the provider are read: not where its users are asked for and nobody said who signs them. */
export const readsIdToken = ({ addresses }: OAuthProvider, { usersUrl }: ProviderServer): boolean =>
  usersUrl === undefined || (addresses.kind === 'plain' && addresses.keys !== undefined);

/**
 * Of a provider that was given by its addresses nobody said what it calls itself: what it says counts where its authorization
 * endpoint lies below it, as issuers have theirs. Any other name may be that of another provider.
 */
export const isBelowIssuer = (authorization: URL, issuer: unknown): issuer is string =>
  typeof issuer === 'string' && URL.canParse(issuer) && authorization.href.startsWith(`${issuer}/`);

/** One without OpenID Connect publishes its addresses all the same (RFC 8414). @throws what was wrong with the answer */
async function discoverPlainServer(issuer: URL, options: RequestOptions): Promise<ProviderServer> {
  const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, response);
  const { userinfo_endpoint: usersUrl, scopes_supported: scopes } = server;
  return usersUrl === undefined || scopes?.includes('openid') === true ? server : { ...server, usersUrl };
}

/** GitHub publishes nothing about its sign-in. */
function githubServer({ origin }: URL): ProviderServer {
  return {
    issuer: `${origin}/login/oauth`,
    authorization_endpoint: `${origin}/login/oauth/authorize`,
    token_endpoint: `${origin}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    usersUrl: origin === 'https://github.com' ? 'https://api.github.com/user' : `${origin}/api/v3/user`,
  };
}

/** Of the tokens of Entra's first version, wherever they were asked for. */
export const firstVersionIssuer = 'https://sts.windows.net';

/**
 * Entra names another issuer than the one that was asked: for all tenants one with `{tenantid}` in it, for its first version
 * another host. What it names must be about the same tenant.
 * @throws when it is about another one
 */
async function entraIssuer(asked: URL, response: Response): Promise<URL> {
  const claimed: unknown = Reflect.get(Object(await response.clone().json()), 'issuer');
  if (typeof claimed !== 'string' || !URL.canParse(claimed)) return asked;
  const issuer = new URL(claimed);
  const isEntra = issuer.origin === asked.origin || issuer.origin === firstVersionIssuer;
  const tenant = tenantOf(issuer);
  const isAsked = isOfManyTenants(asked) ? tenant === tenantTemplate : tenant === tenantOf(asked);
  return isEntra && isAsked ? issuer : asked;
}

export const tenantTemplate = '{tenantid}';
const tenantOf = ({ pathname }: URL): string => decodeURIComponent(pathname.split('/')[1] ?? '').toLowerCase();

const tenantId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The server as the id token has it: where it stands for many tenants, the issuer of the one that the token names, and of
 * a provider given by its addresses the name that it gives itself. That the token is its own is checked with its signature.
 * @throws when the users of the tenant may not come, or the name may be that of another provider
 */
export function serverOfToken(provider: OAuthProvider, server: ProviderServer, idToken: unknown): ProviderServer {
  const { addresses } = provider;
  if (addresses.kind === 'plain') {
    if (idToken === undefined) return server;
    const issuer = claimsIn(idToken)['iss'];
    if (!isBelowIssuer(addresses.authorization, issuer)) throw new Error('The id token is of another issuer');
    return { ...server, issuer };
  }
  if (provider.type !== 'azure_ad' || !server.issuer.includes(tenantTemplate)) return server;
  const tenant = readTenant(idToken);
  if (tenant === undefined) throw new Error('The id token names no tenant');
  if (!provider.tenants.includes(tenant)) throw new TenantRefused();
  return { ...server, issuer: server.issuer.replace(tenantTemplate, tenant) };
}

/** The user is of a tenant that was not named for the provider. */
export class TenantRefused extends Error {
  constructor() {
    super('The tenant of the user is not among those of the provider');
    this.name = 'TenantRefused';
  }
}

function readTenant(idToken: unknown): string | undefined {
  const { tid } = claimsIn(idToken);
  return typeof tid === 'string' && tenantId.test(tid) ? tid : undefined;
}

/** As they stand there, before anything is checked; none where it is no token. */
function claimsIn(idToken: unknown): Readonly<Record<string, unknown>> {
  try {
    const [, claims = ''] = String(idToken).split('.');
    return Object(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

import * as oauth from 'oauth4webapi';
import { buildAuthorizationUrl, exchangeCode, requestOptions } from './authorization-code.ts';
import type { ProviderAccess, SignInProvider } from './sign-in-provider.ts';

/** How long what a provider tells about itself is believed. */
const metadataMs = 600_000;

/** A provider that speaks OpenID Connect, known by its issuer alone. */
export function createOidcProvider(access: ProviderAccess): SignInProvider {
  const client = { client_id: access.clientId };
  const options = requestOptions(access);
  let known: { readonly server: oauth.AuthorizationServer; readonly untilMs: number } | undefined;

  const discover = async (): Promise<oauth.AuthorizationServer> => {
    if (known !== undefined && performance.now() < known.untilMs) return known.server;
    const response = await oauth.discoveryRequest(access.issuer, { ...options, algorithm: 'oidc' });
    const server = await oauth.processDiscoveryResponse(access.issuer, response);
    known = { server, untilMs: performance.now() + metadataMs };
    return server;
  };

  /** The claims of the id token, once its signature, issuer, audience, nonce and times are right. */
  const readTokens = async (server: oauth.AuthorizationServer, response: Response, nonce: string) => {
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Error('The provider sent no id token');
    return { claims, accessToken: tokens.access_token };
  };

  return {
    name: access.name,
    callback: access.callback,

    authorizationUrl: async (ticket) =>
      buildAuthorizationUrl(access, await discover(), ticket, { scope: 'openid email', nonce: ticket.nonce }),

    async findVerifiedEmail(brought, ticket) {
      const server = await discover();
      const response = await exchangeCode(access, server, authenticate(access, server), brought, ticket);
      const { claims, accessToken } = await readTokens(server, response, ticket.nonce);
      const email = verifiedEmailOf(access.name, claims);
      const isTold = claims['email'] !== undefined && claims['email_verified'] !== undefined;
      if (email !== undefined || isTold || server.userinfo_endpoint === undefined) return email;
      const answer = await oauth.userInfoRequest(server, client, accessToken, options);
      const more = await oauth.processUserInfoResponse(server, client, claims.sub, answer);
      // By itself: what is verified there is the address there, not the one in the id token.
      return verifiedEmailOf(access.name, more);
    },
  };
}

/** As the provider wants it; where it does not say, as the standard has it. */
const authenticate = (
  { clientSecret }: ProviderAccess,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oauth.AuthorizationServer,
): oauth.ClientAuth =>
  methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret.reveal())
    : oauth.ClientSecretPost(clientSecret.reveal());

/** Azure AD says in a claim of its own whether the owner of the domain has been verified. */
function verifiedEmailOf(name: string, claims: Readonly<Record<string, unknown>>): string | undefined {
  const { email, email_verified: verified, xms_edov: domainVerified } = claims;
  const isVerified =
    verified === true || (name === 'azure_ad' && [true, 1, '1', 'true'].some((yes) => yes === domainVerified));
  return isVerified && typeof email === 'string' && email !== '' ? email : undefined;
}

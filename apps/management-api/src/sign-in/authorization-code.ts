import * as oauth from 'oauth4webapi';
import type { ProviderAccess, SignInSecrets } from './sign-in-provider.ts';

/** Options of every request to the provider. */
export const requestOptions = ({ fetch, allowPlainHttp }: ProviderAccess) => ({
  [oauth.customFetch]: fetch,
  [oauth.allowInsecureRequests]: allowPlainHttp,
});

/** Where the browser asks for a code, which PKCE binds to the ticket. */
export async function buildAuthorizationUrl(
  { clientId, callback }: ProviderAccess,
  { authorization_endpoint: endpoint }: oauth.AuthorizationServer,
  { state, verifier }: SignInSecrets,
  more: Readonly<Record<string, string>>,
): Promise<URL> {
  if (endpoint === undefined) throw new Error('The provider does not tell where to sign in');
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback.href,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Exchanges the code. The answer is not looked at yet. @throws when the browser brought an error, or something wrong */
export async function exchangeCode(
  access: ProviderAccess,
  server: oauth.AuthorizationServer,
  authentication: oauth.ClientAuth,
  brought: URLSearchParams,
  { state, verifier }: SignInSecrets,
): Promise<Response> {
  const client = { client_id: access.clientId };
  const parameters = oauth.validateAuthResponse(server, client, brought, state);
  const { href } = access.callback;
  return oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    href,
    verifier,
    requestOptions(access),
  );
}

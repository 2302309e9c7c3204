import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from './oauth-provider.ts';
import type { ProviderServer } from './provider-server.ts';

/** As the provider wants it; where it does not say, as the standard has it. */
export function authenticate({ clientSecret }: OAuthProvider, server: ProviderServer): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret.reveal())
    : oauth.ClientSecretPost(clientSecret.reveal());
}

import type { AuthorizationServerAddresses } from './proxy-addresses.ts';

/** Of the authorization server of a proxy (RFC 8414). */
export const renderServerMetadata = (addresses: AuthorizationServerAddresses, scopes: readonly string[]) => ({
  issuer: addresses.issuer,
  authorization_endpoint: addresses.authorization,
  token_endpoint: addresses.token,
  registration_endpoint: addresses.registration,
  revocation_endpoint: addresses.revocation,
  jwks_uri: addresses.jwks,
  ...(scopes.length > 0 && { scopes_supported: scopes }),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

const clientAuthMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const;

/**
 * Of the proxy as a protected resource (RFC 9728).
 * @param origin of the proxy
 * @param path that stands behind the well-known one, empty for the proxy as a whole
 * @param server issuer of the authorization server: the proxy's own unless given
 */
export const renderResourceMetadata = (
  origin: string,
  path: string,
  scopes: readonly string[],
  server: string = origin,
) => ({
  resource: `${origin}${path}`,
  authorization_servers: [server],
  ...(scopes.length > 0 && { scopes_supported: scopes }),
  bearer_methods_supported: ['header'],
});

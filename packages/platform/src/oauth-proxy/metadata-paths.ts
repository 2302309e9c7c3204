/** Where clients look for what they must know, on the port of the proxy. */
export const metadataPaths = {
  resource: '/.well-known/oauth-protected-resource',
  server: '/.well-known/oauth-authorization-server',
  keys: '/.well-known/jwks.json',
} as const;

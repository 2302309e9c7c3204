import type { OAuthClientProvider } from '@modelcontextprotocol/client';

export const redirectUrl = 'http://127.0.0.1:33418/callback';

type Kept = Record<'client' | 'discovery' | 'tokens' | 'verifier', unknown> & { authorizationUrl?: URL };

/** What an editor keeps for its MCP client: nothing but storage, all else is the client's own. */
export function createEditorStorage(): OAuthClientProvider & { readonly kept: Partial<Kept> } {
  const kept: Partial<Kept> = {};
  return {
    kept,
    redirectUrl,
    clientMetadata: {
      client_name: 'An editor',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state of the editor',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.authorizationUrl = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier as string,
    // What the server does not take any more is forgotten, so that the user is asked again.
    invalidateCredentials: (what) => void (what === 'tokens' || what === 'all' ? delete kept.tokens : undefined),
    saveDiscoveryState: (found) => void (kept.discovery = found),
    discoveryState: () => kept.discovery as never,
  };
}

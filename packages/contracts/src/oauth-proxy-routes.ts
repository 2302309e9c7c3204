import type { Route } from './route.ts';
import {
  beginAuthorization,
  decideAuthorization,
  deleteOAuthClient,
  deleteOAuthGrant,
  exchangeOAuthToken,
  finishAuthorization,
  getAuthorizationServer,
  listOAuthClients,
  listOAuthGrants,
  registerOAuthClient,
  revokeOAuthToken,
  rotateOAuthKey,
} from './routes/oauth-proxy.ts';

/** The OAuth proxy: an authorization server for each MCP proxy that has one. */
export const oauthProxyRoutes: readonly Route[] = [
  getAuthorizationServer,
  registerOAuthClient,
  beginAuthorization,
  decideAuthorization,
  finishAuthorization,
  exchangeOAuthToken,
  revokeOAuthToken,
  listOAuthClients,
  deleteOAuthClient,
  listOAuthGrants,
  deleteOAuthGrant,
  rotateOAuthKey,
];

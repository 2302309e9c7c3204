import type { BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { publicBaseOf } from '@portcullis/platform/config/public-base';
import { createAuthorizationRequests } from '@portcullis/platform/oauth/authorization-requests';
import type { ProviderClients } from '@portcullis/platform/oauth/provider-clients';
import { createRequestLimit } from '@portcullis/platform/oauth/request-limit';
import { createStoredProviders } from '@portcullis/platform/oauth/stored-provider';
import {
  bindDeleteClient,
  bindDeleteGrant,
  bindGetServer,
  bindListClients,
  bindListGrants,
  bindRotateKey,
} from './admin-routes.ts';
import { bindBeginAuthorization, bindDecideAuthorization } from './authorize-routes.ts';
import { bindFinishAuthorization } from './callback-route.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { OAuthProxyParts, PendingAuthorization } from './oauth-proxy-parts.ts';
import { bindRegisterClient } from './register-route.ts';
import { bindExchangeToken, bindRevokeToken } from './token-routes.ts';

type Given = Pick<Infrastructure, 'config' | 'database' | 'encryption' | 'coordination'> & {
  readonly clients: ProviderClients;
  readonly documents: ClientDocuments;
};

/** The authorization servers of all proxies that have one. */
export function oauthProxyRoutes({
  config,
  database,
  encryption,
  coordination,
  clients,
  documents,
}: Given): BoundRoute[] {
  const { attempts, buckets } = coordination;
  const base = publicBaseOf(config);
  const parts: OAuthProxyParts = {
    database,
    encryption,
    base,
    providers: createStoredProviders(database, encryption, base),
    clients,
    documents,
    requestsOf: (id) =>
      createAuthorizationRequests<PendingAuthorization>(`oauth_proxy_${id}`, { encryption, attempts }),
    limits: {
      register: createRequestLimit(buckets, 'oauth-register'),
      token: createRequestLimit(buckets, 'oauth-token'),
      browser: createRequestLimit(buckets, 'oauth-browser'),
    },
  };
  return [
    bindGetServer,
    bindRegisterClient,
    bindBeginAuthorization,
    bindDecideAuthorization,
    bindFinishAuthorization,
    bindExchangeToken,
    bindRevokeToken,
    bindListClients,
    bindDeleteClient,
    bindListGrants,
    bindDeleteGrant,
    bindRotateKey,
  ].map((bindRoute) => bindRoute(parts));
}

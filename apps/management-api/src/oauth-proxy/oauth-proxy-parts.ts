import type { Database } from '@portcullis/platform/database/database';
import type { AuthorizationRequests } from '@portcullis/platform/oauth/authorization-requests';
import type { RequestLimit } from '@portcullis/platform/oauth/request-limit';
import type { StoredProviders } from '@portcullis/platform/oauth/stored-provider';
import type { ProviderClients } from '@portcullis/platform/oauth/provider-clients';
import type { Encryption } from '@portcullis/platform/security/encryption';
import type { ClientDocuments } from './client-documents.ts';

/** What of a client's request is remembered while the browser is away. */
export interface PendingAuthorization {
  readonly proxyId: number;
  /** Of its row. */
  readonly clientRowId: number;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly scopes: readonly string[];
}

/** What the routes of the OAuth proxy share. */
export interface OAuthProxyParts {
  readonly database: Database;
  readonly encryption: Encryption;
  /** Where browsers reach the management port; undefined while the gateway does not know. */
  readonly base: string | undefined;
  readonly providers: StoredProviders;
  readonly clients: ProviderClients;
  readonly documents: ClientDocuments;
  /** Of one proxy: two proxies that a browser signs in to at once do not disturb each other. */
  readonly requestsOf: (proxyId: number) => AuthorizationRequests<PendingAuthorization>;
  readonly limits: { readonly register: RequestLimit; readonly token: RequestLimit; readonly browser: RequestLimit };
}

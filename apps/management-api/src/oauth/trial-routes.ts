import { oauthProviderTemplates, oauthProviderTypes } from '@portcullis/contracts/oauth-provider-types';
import {
  discoverOAuthProvider,
  getOAuthTemplateDocs,
  listOAuthTemplates,
  testOAuthProvider,
} from '@portcullis/contracts/routes/oauth-providers';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { checkTargetUrl } from '@portcullis/platform/network/address-guard';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { checkHostOrThrow } from '@portcullis/platform/network/check-host';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { checkProvider } from '@portcullis/platform/oauth/check-provider';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import type { ProviderClients } from '@portcullis/platform/oauth/provider-clients';
import { providerRefusal } from '@portcullis/platform/oauth/provider-refusal';
import type { ProviderServer } from '@portcullis/platform/oauth/provider-server';
import { publicBaseOf } from '@portcullis/platform/config/public-base';
import { callbackOf, openOAuthProvider } from '@portcullis/platform/oauth/stored-provider';
import { loadProviderOrThrow } from './provider-queries.ts';

interface Parts extends Pick<Infrastructure, 'database' | 'encryption' | 'config'> {
  readonly clients: ProviderClients;
}

/** What an admin wants to know before users are sent to a provider. */
export const oauthTrialRoutes = (parts: Parts): BoundRoute[] =>
  [bindTemplates, bindDocs, bindDiscover, bindTest].map((bindRoute) => bindRoute(parts));

const bindTemplates = (): BoundRoute =>
  bind(listOAuthTemplates, () => ({
    data: oauthProviderTypes.map((type) => {
      const { label, description, scopes, issuerExample, ...more } = oauthProviderTemplates[type];
      return {
        name: label,
        provider_type: type,
        description,
        default_scopes: [...scopes],
        issuer: 'issuer' in more ? more.issuer : null,
        issuer_example: issuerExample,
      };
    }),
  }));

const bindDocs = ({ config }: Parts): BoundRoute =>
  bind(getOAuthTemplateDocs, ({ params: { type } }) => {
    const { documentation, scopes } = oauthProviderTemplates[type];
    const callback = callbackOf(type, publicBaseOf(config))?.href ?? null;
    return { data: { provider_type: type, documentation, required_scopes: [...scopes], callback_url: callback } };
  });

const bindDiscover = ({ clients, config }: Parts): BoundRoute =>
  bind(discoverOAuthProvider, async ({ body }) => {
    const { issuer, provider_type: type = 'custom' } = body;
    const problem = checkTargetUrl(issuer, addressRuleOf(config));
    if (problem !== undefined)
      throw new GatewayError('bad_request', { problems: [{ path: '/body/issuer', ...problem }] });
    await checkHostOrThrow(issuer, addressRuleOf(config), '/body/issuer');
    const client = clients.once({ ...unknownProvider, type, addresses: { kind: 'issuer', issuer: new URL(issuer) } });
    const server = await client.server().catch((error: unknown) => {
      throw providerRefusal(issuer, error);
    });
    return { data: renderServer(server) };
  });

const bindTest = ({ database, encryption, config, clients }: Parts): BoundRoute =>
  bind(testOAuthProvider, async (call) => {
    const row = await loadProviderOrThrow(database, call.params.id);
    const checks = await checkProvider(clients.once(openOAuthProvider(row, encryption, publicBaseOf(config))));
    const failed = checks.find(({ status }) => status === 'failed');
    await recordAudit(
      database.kysely,
      auditEntry(call, {
        event: 'oauth.provider.tested',
        resource: { type: 'oauth_provider', id: row.id, name: row.name },
        result: failed === undefined ? 'success' : 'failure',
        details: { checks: Object.fromEntries(checks.map(({ name, status }) => [name, status])) },
      }),
    );
    const message = failed?.message ?? 'The provider is ready for logins';
    return { data: { success: failed === undefined, message, checks: [...checks] } };
  });

/** Enough to read what an issuer says of itself. */
const unknownProvider: Omit<OAuthProvider, 'type' | 'addresses'> = {
  key: 'discovery',
  id: undefined,
  name: 'discovery',
  clientId: 'none',
  clientSecret: undefined,
  scopes: [],
  callback: undefined,
  tenants: [],
  trustsEmail: false,
  linksManagementUsers: false,
  signIn: false,
  enabled: false,
  version: 'none',
};

const renderServer = (server: ProviderServer) => ({
  issuer: server.issuer,
  auth_url: server.authorization_endpoint ?? null,
  token_url: server.token_endpoint ?? null,
  userinfo_url: server.userinfo_endpoint ?? server.usersUrl ?? null,
  jwks_url: server.jwks_uri ?? null,
  scopes_supported: (server.scopes_supported ?? []).slice(0, 100),
  supports_pkce: server.code_challenge_methods_supported?.includes('S256') === true,
});

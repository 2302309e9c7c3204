import { beginAuthorization, decideAuthorization } from '@portcullis/contracts/routes/oauth-proxy';
import {
  checkAuthorization,
  renderRedirect,
  type CheckedAuthorization,
} from '@portcullis/core/oauth/check-authorization';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { proxyCallbackOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import { allowedRedirectsOf, isAdmitted, redirectNotAllowed } from './allowed-redirects.ts';
import { DocumentRefused, isDocumentId } from './client-documents.ts';
import { findClient, findClientById, type ClientRow } from './client-queries.ts';
import { openConsent, sealConsent } from './consent-ticket.ts';
import { renderConsentPage, shownToUser } from './oauth-page.ts';
import type { OAuthProxyParts, PendingAuthorization } from './oauth-proxy-parts.ts';
import { findServerOrThrow, proxyResource, type ProxyServer } from './proxy-server.ts';
import { renewalOf, targetOf } from './provider-tokens.ts';

export const bindBeginAuthorization = (parts: OAuthProxyParts): BoundRoute =>
  bind(beginAuthorization, async (call) => {
    const { params, query, clientIp, cookie } = call;
    await parts.limits.browser.countRequest(clientIp);
    const { server, provider, base } = await findReadyOrThrow(parts, params.id);
    const client = await findClientOfRequest(parts, server, query.client_id ?? '');

    const admitted = allowedRedirectsOf(server, client);
    if (admitted.length === 0) throw shownToUser(redirectNotAllowed);
    const checked = checkAuthorization(query, admitted, server.settings);
    if (checked.kind === 'shown') throw shownToUser(checked.message);
    if (checked.kind === 'refused') {
      const { error, description, redirectUri, state } = checked;
      return redirect(redirectUri, server, { error, error_description: description, state });
    }
    const request = pendingOf(server, client, checked);
    if (!needsConsent(server, client)) return sendToProvider(parts, call, { server, provider, request, base });
    const { ticket, cookie: setCookie } = sealConsent(parts.encryption, request, cookie, base);
    return renderConsentPage(
      {
        clientName: client.name,
        clientHost: client.kind === 'document' ? new URL(client.client_id).host : undefined,
        proxyName: server.name,
        providerName: provider.name,
        redirectUri: request.redirectUri,
        scopes: request.scopes,
        action: `${new URL(base).pathname.replace(/\/$/, '')}/api/v1/oauth-proxy/${server.id}/consent`,
        ticket,
      },
      setCookie,
    );
  });

export const bindDecideAuthorization = (parts: OAuthProxyParts): BoundRoute =>
  bind(decideAuthorization, async (call) => {
    const { params, body, clientIp, cookie, header } = call;
    await parts.limits.browser.countRequest(clientIp);
    const { server, provider, base } = await findReadyOrThrow(parts, params.id);
    // The page that asks is the only one that may send the decision; browsers say from where a form comes.
    const site = header?.('sec-fetch-site') ?? 'same-origin';
    const request = site === 'same-origin' ? openConsent(parts.encryption, body.ticket, cookie) : undefined;
    if (request?.proxyId !== server.id) {
      throw shownToUser('This page was not opened in this browser, took too long, or belongs to another request');
    }
    await checkStillAdmittedOrThrow(parts, server, request);
    if (body.decision === 'deny') {
      await recordDenial(parts, call, server, { reason: 'the user said no', client_row_id: request.clientRowId });
      const { redirectUri, state } = request;
      return redirect(redirectUri, server, { error: 'access_denied', error_description: 'The user said no', state });
    }
    return sendToProvider(parts, call, { server, provider, request, base });
  });

/** An OAuth proxy with all that it needs. @throws {GatewayError} `not_found`, `service_unavailable` */
export async function findReadyOrThrow({ database, providers, base }: OAuthProxyParts, proxyId: number) {
  const server = await findServerOrThrow({ database, base }, proxyId);
  const provider = await providers.find(server.settings.providerId);
  if (base === undefined || provider?.enabled !== true) {
    const message = 'The OAuth proxy cannot be used now: its provider is switched off or gone';
    throw new GatewayError('service_unavailable', { message });
  }
  return { server, provider, base };
}

/**
 * For each step that goes on with an address that was checked at the first one.
 * @throws {GatewayError} with a page for the user, since the client is not to be told anything any more
 */
export async function checkStillAdmittedOrThrow(
  { database }: OAuthProxyParts,
  server: ProxyServer,
  { clientRowId, redirectUri }: PendingAuthorization,
): Promise<void> {
  const client = await findClientById(database, clientRowId);
  if (client === undefined || !isAdmitted(redirectUri, server, client)) throw shownToUser(redirectNotAllowed);
}

async function findClientOfRequest(
  { database, documents }: OAuthProxyParts,
  server: ProxyServer,
  clientId: string,
): Promise<ClientRow> {
  if (!isDocumentId(clientId)) {
    const client = await findClient(database, server.id, clientId);
    if (client !== undefined) return client;
    throw shownToUser('The client is not registered with this proxy, or was forgotten since no one let it in');
  }
  return documents.find(server, clientId).catch((error: unknown) => {
    throw error instanceof DocumentRefused ? shownToUser(error.message) : error;
  });
}

/** Anyone can register as anything, so a client that no admin named is asked about each time. */
const needsConsent = ({ settings }: ProxyServer, { client_id: id }: ClientRow): boolean =>
  settings.requiresConsent || !settings.trustedClients.includes(id);

const pendingOf = (server: ProxyServer, client: ClientRow, checked: CheckedAuthorization): PendingAuthorization => {
  const { redirectUri, state, challenge, scopes } = checked;
  return { proxyId: server.id, clientRowId: client.id, redirectUri, state, challenge, scopes };
};

export const redirect = (
  redirectUri: string,
  { settings }: ProxyServer,
  answer: Readonly<Record<string, string | undefined>>,
  cookies: Readonly<Record<string, string>> = {},
) => ({
  text: '',
  headers: { location: renderRedirect(redirectUri, settings.issuer, answer), 'cache-control': 'no-store', ...cookies },
});

interface Leaving {
  readonly server: ProxyServer;
  readonly provider: OAuthProvider;
  readonly request: PendingAuthorization;
  readonly base: string;
}

async function sendToProvider(parts: OAuthProxyParts, call: AuditedCall, { server, provider, request, base }: Leaving) {
  const { clients, database, requestsOf } = parts;
  const client = clients.of(provider);
  const renewal = await renewalOf(client);
  const scopes = [...new Set([...provider.scopes, ...request.scopes, ...renewal.scopes])];
  const callback = proxyCallbackOf(server.settings.providerId, base);
  const { location, cookie } = await requestsOf(server.id).start(client, {
    callback,
    data: request,
    scopes,
    more: { ...renewal.more, ...targetOf(server, provider) },
  });
  const details = { client_row_id: request.clientRowId, redirect_uri: request.redirectUri, provider: provider.name };
  const change = { event: 'oauth.authorization.started', resource: proxyResource(server), details } as const;
  await recordAudit(database.kysely, auditEntry(call, change));
  return { text: '', headers: { location: location.href, 'set-cookie': cookie, 'cache-control': 'no-store' } };
}

export const recordDenial = (
  { database }: OAuthProxyParts,
  call: AuditedCall,
  server: ProxyServer,
  { reason, ...details }: Readonly<Record<string, unknown>> & { readonly reason: string },
) =>
  recordAudit(
    database.kysely,
    auditEntry(call, {
      event: 'oauth.authorization.denied',
      action: 'login',
      result: 'failure',
      resource: proxyResource(server),
      details,
      error_message: reason,
    }),
  );

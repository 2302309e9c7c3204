import { finishAuthorization } from '@portcullis/contracts/routes/oauth-proxy';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { AuthorizationResponse, BroughtBack } from '@portcullis/platform/oauth/authorization-requests';
import { admitFromProvider } from '../sign-in/admit-from-provider.ts';
import { reasonOf } from '../sign-in/admit-user.ts';
import { checkStillAdmittedOrThrow, findReadyOrThrow, recordDenial, redirect } from './authorize-routes.ts';
import { insertCode } from './code-queries.ts';
import { shownToUser } from './oauth-page.ts';
import type { OAuthProxyParts, PendingAuthorization } from './oauth-proxy-parts.ts';
import { saveTokenIdentity } from './save-token-identity.ts';
import { keptTokens, targetOf } from './provider-tokens.ts';

export const bindFinishAuthorization = (parts: OAuthProxyParts): BoundRoute =>
  bind(finishAuthorization, async (call) => {
    const { params, query, cookie, clientIp } = call;
    await parts.limits.browser.countRequest(clientIp);
    const { code, state, iss, error } = query;
    const path = `/api/v1/oauth-proxy/callback/${params.provider_id}`;
    const response = await findResponse(parts, path, cookie, { code, state, iss, error });
    if (response === undefined) {
      throw shownToUser('This sign-in was not started in this browser, took too long, or was used already');
    }
    return completeAuthorization(parts, call, response);
  });

/** A browser may be on its way for several proxies; the state tells for which it is back. */
async function findResponse(
  { requestsOf }: OAuthProxyParts,
  path: string,
  cookies: string | undefined,
  brought: BroughtBack,
): Promise<AuthorizationResponse<PendingAuthorization> | undefined> {
  const ids = [...(cookies ?? '').matchAll(/(?:^|;\s*)portcullis_oauth_proxy_(\d{1,10})=/g)].map(([, id]) =>
    Number(id),
  );
  for (const id of [...new Set(ids)].slice(0, 20)) {
    try {
      const response = await requestsOf(id).finish(path, cookies, brought);
      if (response.data.proxyId === id) return response;
    } catch (error) {
      if (!(error instanceof GatewayError && error.reason === 'invalid_state')) throw error;
    }
  }
  return undefined;
}

async function completeAuthorization(
  parts: OAuthProxyParts,
  call: AuditedCall,
  response: AuthorizationResponse<PendingAuthorization>,
) {
  const { data: request, providerKey } = response;
  const { server, provider } = await findReadyOrThrow(parts, request.proxyId);
  await checkStillAdmittedOrThrow(parts, server, request);
  const { redirectUri, state } = request;
  const cookies = { 'set-cookie': response.clearCookie };
  const signInDetails = { provider: provider.name };
  try {
    // Another provider was set meanwhile: what this one says is nothing.
    if (provider.key !== providerKey) throw new GatewayError('invalid_state');
    const client = parts.clients.of(provider);
    const tokens = await response.exchange(client, targetOf(server, provider));
    const user = await admitFromProvider(parts.database, call, client, tokens, signInDetails);
    if (server.settings.mode === 'upstream') await saveTokenIdentity(parts.database, client, server, tokens, user.id);
    const code = await parts.database.kysely.transaction().execute(async (transaction) => {
      const issued = await insertCode({ kysely: transaction }, parts.encryption, {
        request,
        userId: user.id,
        providerId: server.settings.providerId,
        tokens: keptTokens(tokens),
      });
      const resource = { type: 'user', id: user.id, name: user.username };
      const details = { ...signInDetails, proxy_id: server.id, client_row_id: request.clientRowId };
      const signedIn = { ...call, caller: { kind: 'user', ...user } } as const;
      await recordAudit(transaction, auditEntry(signedIn, { event: 'oauth.code.issued', resource, details }));
      return issued;
    });
    return redirect(redirectUri, server, { code, state }, cookies);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await recordDenial(parts, call, server, {
      ...signInDetails,
      reason: reasonOf(error),
      client_row_id: request.clientRowId,
    });
    return redirect(redirectUri, server, { ...describeRefusal(error), state }, cookies);
  }
}

/** What the client is signInDetails; the user of a program sees it there. */
const describeRefusal = ({ reason, entry, details }: GatewayError) => ({
  error: ['provider_failed', 'service_unavailable'].includes(reason) ? 'temporarily_unavailable' : 'access_denied',
  error_description: reason === 'provider_failed' ? (details.message ?? entry.text) : entry.text,
});

import type { exchangeOAuthToken } from '@portcullis/contracts/routes/oauth-proxy';
import { audited, type AuditedChange } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Call } from '@portcullis/platform/routes/bound-route';
import { createHash, timingSafeEqual } from 'node:crypto';
import { isAdmitted, redirectNotAllowed } from './allowed-redirects.ts';
import { noteClientUse, type ClientRow } from './client-queries.ts';
import { lockCode, openCodeTokens, useCode, type CodeRow } from './code-queries.ts';
import { deleteGrant, insertGrant } from './grant-queries.ts';
import { issueTokens } from './issue-tokens.ts';
import type { OAuthProxyParts } from './oauth-proxy-parts.ts';
import { oauthRefusal } from './oauth-refusal.ts';
import { proxyResource, type ProxyServer } from './proxy-server.ts';

export type TokenCall = Call<(typeof exchangeOAuthToken)['parts']>;

/** What the token endpoint answers, or why it does not; with what the audit log is told. */
export interface TokenOutcome {
  readonly answer?: Awaited<ReturnType<typeof issueTokens>>;
  readonly refusal?: string;
  readonly audit: AuditedChange | undefined;
}

/**
 * Exchanges a code, once: with its own redirect address and its PKCE secret. A code that comes again with both ends what it had
 * led to, since one of the two who had it was not meant to (OAuth 2.1, 4.1.3).
 * @throws {GatewayError} `invalid_grant`
 */
export async function exchangeCode(parts: OAuthProxyParts, call: TokenCall, server: ProxyServer, client: ClientRow) {
  const { database } = parts;
  const { answer, refusal } = await audited<TokenOutcome>(
    database,
    call,
    (transaction) => takeCode(transaction, parts, call, server, client),
    ({ audit }) => audit,
  );
  // SignInDetails when what it led to is committed.
  if (answer === undefined) throw oauthRefusal('invalid_grant', refusal ?? '');
  return answer;
}

const unknown = 'The code is not good: it was used, took too long, or belongs to another request';

async function takeCode(
  transaction: Queryable,
  { encryption }: OAuthProxyParts,
  { body }: TokenCall,
  server: ProxyServer,
  client: ClientRow,
): Promise<TokenOutcome> {
  const row = await lockCode(transaction, body.code ?? '', client.id);
  if (row === undefined) return { refusal: unknown, audit: undefined };
  const details = { client_id: client.client_id, user_id: row.user_id };
  const problem = row.over && row.used_at === null ? unknown : findProblem(row, body, server, client);
  if (row.used_at !== null) {
    // Only who has its secret, too, proves that it was meant for one of two: an address in a history or a log ends nothing.
    if (problem !== undefined)
      return { refusal: unknown, audit: refused(server, details, `A used code came again: ${problem}`) };
    return endReplayed(transaction, row, server, details);
  }
  if (problem !== undefined) {
    // Whoever tries it without its secret has stolen it: there is no second try.
    await useCode(transaction, row.id, undefined);
    return { refusal: problem, audit: refused(server, details, problem) };
  }
  const tokens = openCodeTokens(row, encryption);
  const { user_id: userId, scope } = row;
  const grant = { proxyId: server.id, clientRowId: client.id, userId, providerId: row.provider_id, scope };
  const grantId = await insertGrant(transaction, encryption, grant, tokens);
  await useCode(transaction, row.id, grantId);
  await noteClientUse(transaction, client.id);
  return {
    answer: await issueTokens(transaction, encryption, { server, client, grantId, userId, scope, tokens }),
    audit: {
      event: 'oauth.token.issued',
      resource: proxyResource(server),
      details: { ...details, grant_id: grantId, scope },
    },
  };
}

function findProblem(
  row: CodeRow,
  body: TokenCall['body'],
  server: ProxyServer,
  client: ClientRow,
): string | undefined {
  if (body.redirect_uri !== row.redirect_uri) return 'redirect_uri is not the one to which the code was sent';
  if (!isAdmitted(row.redirect_uri, server, client)) return redirectNotAllowed;
  return isVerifier(body.code_verifier ?? '', row.code_challenge) ? undefined : 'code_verifier is not the right one';
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[\w\-.~]{43,128}$/.test(verifier)) return false;
  return timingSafeEqual(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'));
}

type Details = Readonly<Record<string, unknown>>;

const refused = (server: ProxyServer, details: Details, reason: string): AuditedChange => ({
  event: 'oauth.token.refused',
  result: 'failure',
  resource: proxyResource(server),
  details,
  error_message: reason,
});

async function endReplayed(
  transaction: Queryable,
  { grant_id: grantId }: CodeRow,
  server: ProxyServer,
  details: Details,
): Promise<TokenOutcome> {
  if (grantId !== null) await deleteGrant(transaction, grantId);
  return { refusal: unknown, audit: replayed(server, { ...details, grant_id: grantId }, 'A code came a second time') };
}

/** Two had something that only one was given. */
export const replayed = (server: ProxyServer, details: Details, reason: string): AuditedChange => ({
  event: 'security.suspicious.activity',
  result: 'failure',
  resource: proxyResource(server),
  details,
  error_message: `${reason}; what it had led to was ended`,
});

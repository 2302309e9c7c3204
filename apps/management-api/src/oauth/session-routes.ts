import {
  cleanUpSessions,
  getSessionStats,
  listOAuthSessions,
  listProviderSessions,
  listUserSessions,
  revokeOAuthSession,
} from '@portcullis/contracts/routes/oauth-sessions';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { deleteExpiredSessions, deleteSession } from '@portcullis/platform/identity/session-queries';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { loadProviderOrThrow } from './provider-queries.ts';
import { countSessions, findSessionOwner, loadSessionPage } from './session-queries.ts';

export const oauthSessionRoutes = (database: Database, sessions: Sessions): BoundRoute[] => [
  bind(listOAuthSessions, async ({ query }) => {
    const { provider_id: providerId, ...filter } = query;
    const page = await readConsistent(database, (moment) => loadSessionPage(moment, { ...filter, providerId }));
    return { data: { ...page, limit: query.limit, offset: query.offset } };
  }),

  bind(listProviderSessions, async ({ params, query }) => {
    const page = await readConsistent(database, async (moment) => {
      const { id: providerId } = await loadProviderOrThrow(moment, params.id);
      return loadSessionPage(moment, { ...query, providerId });
    });
    return { data: { ...page, limit: query.limit, offset: query.offset } };
  }),

  bind(listUserSessions, async ({ params, query }) => {
    const filter = { ...query, user: params.identity };
    const page = await readConsistent(database, (moment) => loadSessionPage(moment, filter));
    return { data: { ...page, limit: query.limit, offset: query.offset } };
  }),

  bind(getSessionStats, async () => ({ data: await countSessions(database) })),

  bind(revokeOAuthSession, async (call) => {
    const { sessionId } = call.params;
    const owner = await database.kysely.transaction().execute(async (kysely) => {
      const found = await findSessionOwner({ kysely }, sessionId);
      if (found === undefined) throw new GatewayError('not_found', { message: 'There is no such session' });
      await deleteSession({ kysely }, sessionId);
      const resource = { type: 'session', id: sessionId, name: found.username };
      await recordAudit(kysely, auditEntry(call, { event: 'oauth.session.revoked', resource }));
      return found;
    });
    await sessions.announceEnd({ userId: owner.user_id, sessionId });
    return { message: 'Session ended' };
  }),

  bind(cleanUpSessions, async (call) => {
    const count = await deleteExpiredSessions(database);
    const details = { deleted_count: count };
    await recordAudit(
      database.kysely,
      auditEntry(call, { event: 'oauth.sessions.cleaned', resource: null, action: 'cleanup', details }),
    );
    return { data: { deleted_count: count } };
  }),
];

import { getSession, listSessions } from '@portcullis/contracts/routes/sessions';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { findSessions } from './find-sessions.ts';
import { loadSession } from './load-session.ts';

export const sessionRoutes = (database: Database): BoundRoute[] => [
  bind(listSessions, async ({ query }) => ({ data: await findSessions(database, query) })),

  bind(getSession, async ({ params: { session_id: id }, query }) => {
    const session = await loadSession(database, id, query);
    if (session === undefined) {
      throw new GatewayError('not_found', { message: `No session with the id ${JSON.stringify(id)} is recorded` });
    }
    return { data: session };
  }),
];

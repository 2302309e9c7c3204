import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('OAuth sessions');

export const OAuthSession = Exact(
  {
    id: Type.String(),
    user_id: Id,
    user_identity: Type.String({ description: 'Name of the user' }),
    user_email: Type.String(),
    user_name: Type.String(),
    provider_id: Nullable(Id),
    provider_name: Nullable(Type.String({ description: 'null: with a password' })),
    client_ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
    created_at: Timestamp,
    last_used: Type.String({ format: 'date-time', description: 'When its token was given or refreshed' }),
    expires_at: Timestamp,
    active: Type.Boolean(),
  },
  { title: 'OAuthSession' },
);
export type OAuthSession = Static<typeof OAuthSession>;

export const SessionList = Exact({ sessions: Type.Array(OAuthSession), total: Count, limit: Count, offset: Count });
export const WhichSessions = {
  active: Type.Boolean({ description: 'Only those that last, or only those that do not' }),
};

export const listOAuthSessions = routes.define({
  method: 'GET',
  path: '/oauth/sessions',
  role: 'admin',
  summary: 'List the sessions of users, the newest first',
  parts: { query: Exact({ ...optional({ ...WhichSessions, provider_id: Id }), ...page(50) }), response: SessionList },
});

export const listProviderSessions = routes.define({
  method: 'GET',
  path: '/oauth/providers/:id/sessions',
  role: 'admin',
  summary: 'List the sessions that began with an identity provider, the newest first',
  parts: { params: ById, query: Exact({ ...optional(WhichSessions), ...page(50) }), response: SessionList },
  errors: ['not_found'],
});

export const listUserSessions = routes.define({
  method: 'GET',
  path: '/oauth/sessions/user/:identity',
  role: 'admin',
  summary: 'List the sessions of a user, known by name or e-mail address, the newest first',
  parts: {
    params: Exact({ identity: Type.String({ minLength: 1, maxLength: 254 }) }),
    query: Exact({ ...optional(WhichSessions), ...page(50) }),
    response: SessionList,
  },
});

export const getSessionStats = routes.define({
  method: 'GET',
  path: '/oauth/sessions/stats',
  role: 'admin',
  summary: 'Count the sessions of users',
  parts: {
    response: Exact({
      total_sessions: Count,
      active_sessions: Count,
      expired_sessions: Count,
      unique_users: Count,
    }),
  },
});

export const revokeOAuthSession = routes.define({
  method: 'DELETE',
  path: '/oauth/sessions/:sessionId',
  role: 'admin',
  summary: 'End a session, on every connection and every proxy',
  parts: {
    params: Exact({
      sessionId: Type.String({ pattern: '^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$', 'x-allowed': 'a UUID' }),
    }),
  },
  errors: ['not_found'],
  audit: 'oauth.session.revoked',
});

export const cleanUpSessions = routes.define({
  method: 'POST',
  path: '/oauth/sessions/cleanup',
  role: 'admin',
  summary: 'Remove the sessions that have expired; they are also removed at each login',
  parts: { response: Exact({ deleted_count: Count }) },
  audit: 'oauth.sessions.cleaned',
});

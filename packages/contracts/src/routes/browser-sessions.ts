import { Type, type Static } from 'typebox';
import { Count, Exact, Nullable, Timestamp, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { User, login } from './auth.ts';

export const routes = createRouteList('Authentication');

const CsrfToken = Type.String({
  description: 'For the header X-CSRF-Token. It belongs to the session and lasts as long',
});

export const openBrowserSession = routes.define({
  method: 'POST',
  path: '/auth/session',
  role: 'public',
  summary:
    'Sign in a browser: the session is a cookie that scripts cannot read. Needs the header X-CSRF-Token, with any value',
  parts: {
    body: login.parts.body,
    response: Exact({ user: User, csrf_token: CsrfToken, expires_at: Timestamp }),
  },
  errors: ['invalid_credentials', 'csrf_token_invalid', 'too_many_requests', 'service_unavailable'],
  audit: ['auth.login', 'auth.login.failed'],
});

const OwnSession = Exact(
  {
    id: Type.String(),
    kind: Type.Enum(['token', 'cookie'], { description: 'What its client sends: a bearer token, or a cookie' }),
    current: Type.Boolean({ description: 'The session of this request' }),
    provider_name: Nullable(Type.String({ description: 'null: with a password' })),
    client_ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
    created_at: Timestamp,
    last_used: Type.String({ format: 'date-time', description: 'When its token or cookie was given or replaced' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'When it ends unless its token or cookie is replaced',
    }),
  },
  { title: 'OwnSession' },
);
export type OwnSession = Static<typeof OwnSession>;

export const getCurrentSession = routes.define({
  method: 'GET',
  path: '/auth/session',
  role: 'user',
  beforePasswordChange: true,
  summary: 'Show the session of this request, its user, and for a browser the CSRF token',
  parts: { response: Exact({ session: OwnSession, user: User, csrf_token: Nullable(CsrfToken) }) },
});

export const listOwnSessions = routes.define({
  method: 'GET',
  path: '/auth/sessions',
  role: 'user',
  summary: 'List your sessions that last, the newest first',
  parts: {
    query: Exact(page(50)),
    response: Exact({ sessions: Type.Array(OwnSession), total: Count, limit: Count, offset: Count }),
  },
});

export const endOtherSessions = routes.define({
  method: 'DELETE',
  path: '/auth/sessions',
  role: 'user',
  summary: 'End all your sessions but the one of this request, on every connection and every proxy',
  parts: { response: Exact({ ended_count: Count }) },
  audit: 'auth.session.ended',
});

export const endOwnSession = routes.define({
  method: 'DELETE',
  path: '/auth/sessions/:sessionId',
  role: 'user',
  summary: 'End one of your sessions, on every connection and every proxy',
  parts: {
    params: Exact({
      sessionId: Type.String({ pattern: '^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$', 'x-allowed': 'a UUID' }),
    }),
  },
  errors: ['not_found'],
  audit: 'auth.session.ended',
});

import { Type, type Static } from 'typebox';
import { Exact, Id, Timestamp } from '../fields.ts';
import { defineRoute } from '../route.ts';

const tag = 'Authentication';

export const roles = ['viewer', 'operator', 'admin'] as const;

export const User = Exact(
  { id: Id, username: Type.String(), email: Type.String(), role: Type.Enum(roles), created_at: Timestamp },
  { title: 'User' },
);
export type User = Static<typeof User>;

export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  role: 'public',
  summary: 'Exchange a user name and a password for a bearer token',
  tag,
  parts: {
    body: Exact({
      username: Type.String({ minLength: 1, maxLength: 200 }),
      password: Type.String({ minLength: 1, maxLength: 1_024 }),
    }),
    response: Exact({ token: Type.String(), expires_at: Timestamp, user: User }),
  },
  errors: ['invalid_credentials', 'too_many_requests'],
  audit: ['auth.login', 'auth.login.failed'],
});

export const refreshToken = defineRoute({
  method: 'POST',
  path: '/auth/refresh',
  role: 'public',
  summary: 'Exchange the bearer token of this request for a fresh one; it may have expired, though not long ago',
  tag,
  parts: { response: Exact({ token: Type.String(), expires_at: Timestamp }) },
  errors: ['unauthorized', 'invalid_token'],
  audit: 'auth.token.refresh',
});

export const me = defineRoute({
  method: 'GET',
  path: '/auth/me',
  role: 'viewer',
  summary: 'Tell who is signed in',
  tag,
  parts: { response: User },
  errors: [],
});

/** The same under the path that the specification gives. */
export const usersMe = defineRoute({ ...me, path: '/auth/users/me' });

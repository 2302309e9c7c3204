import { Type, type Static } from 'typebox';
import { Exact, Id, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Authentication');

/** From the least to the most. A `user` reads nothing of the management API but themselves. */
export const roles = ['user', 'viewer', 'operator', 'admin'] as const;

export const User = Exact(
  {
    id: Id,
    username: Type.String(),
    email: Type.String(),
    role: Type.Enum(roles),
    active: Type.Boolean({ description: 'An inactive user cannot sign in' }),
    must_change_password: Type.Boolean({ description: 'Nothing else is possible until the password is changed' }),
    last_login_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

export const CurrentUser = Exact(
  {
    ...User.properties,
    groups: Type.Array(Exact({ id: Id, name: Type.String(), description: Type.String(), active: Type.Boolean() })),
  },
  { title: 'CurrentUser' },
);
export type CurrentUser = Static<typeof CurrentUser>;

/** A password that a user chooses. */
export const Password = Type.String({ minLength: 12, maxLength: 256 });

/** What a login answers, however it was made. */
export const LoginAnswer = { token: Type.String(), expires_at: Timestamp, user: User };

export const login = routes.define({
  method: 'POST',
  path: '/auth/login',
  role: 'public',
  summary: 'Exchange a user name and a password for a bearer token',
  parts: {
    body: Exact({
      username: Type.String({ minLength: 1, maxLength: 200 }),
      password: Type.String({ minLength: 1, maxLength: 1_024 }),
    }),
    response: Exact(LoginAnswer),
  },
  errors: ['invalid_credentials', 'too_many_requests', 'service_unavailable'],
  audit: ['auth.login', 'auth.login.failed'],
});

export const refreshToken = routes.define({
  method: 'POST',
  path: '/auth/refresh',
  role: 'public',
  summary: 'Exchange the bearer token of this request, which may have expired, for a fresh one; each token once',
  parts: { response: Exact({ token: Type.String(), expires_at: Timestamp }) },
  errors: ['unauthorized', 'invalid_token', 'service_unavailable'],
  audit: ['auth.token.refresh', 'security.suspicious.activity'],
});

export const logout = routes.define({
  method: 'POST',
  path: '/auth/logout',
  role: 'public',
  summary: 'End the session of the bearer token or the cookie of this request, on every connection',
  parts: {},
  errors: ['unauthorized', 'invalid_token', 'csrf_token_invalid', 'service_unavailable'],
  audit: 'auth.logout',
});

export const changePassword = routes.define({
  method: 'POST',
  path: '/auth/change-password',
  role: 'user',
  beforePasswordChange: true,
  summary: 'Change the password of who is signed in; every other session of theirs ends',
  parts: {
    body: Exact({ current_password: Type.String({ minLength: 1, maxLength: 1_024 }), new_password: Password }),
  },
  errors: ['wrong_password', 'too_many_requests', 'service_unavailable'],
  audit: 'auth.password.change',
});

export const me = routes.define({
  method: 'GET',
  path: '/auth/me',
  role: 'user',
  beforePasswordChange: true,
  summary: 'Show the user who is signed in, with their user groups',
  parts: { response: CurrentUser },
});

/** The same under the path that the specification gives. */
export const usersMe = routes.define({ ...me, path: '/auth/users/me' });

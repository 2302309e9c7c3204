import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { roles } from './auth.ts';
import { SessionList, WhichSessions } from './oauth-sessions.ts';

export const routes = createRouteList('OAuth users');

export const OAuthUser = Exact(
  {
    id: Id,
    user_identity: Type.String({ description: 'Name of the user' }),
    user_email: Type.String(),
    user_name: Type.String({ description: 'As the provider says it, else the name of the user' }),
    user_role: Type.Enum(roles),
    user_group_id: Nullable(Id),
    user_group: Nullable(Exact({ id: Id, name: Type.String(), description: Type.String(), active: Type.Boolean() })),
    user_group_ids: Type.Array(Id, { description: 'All groups of the user; user_group is the oldest' }),
    org_domain: Type.String({ description: 'The domain of the address' }),
    provider_id: Nullable(Type.Integer({ ...Id, description: 'null: a provider of the environment' })),
    provider: Exact(
      { id: Nullable(Id), provider_type: Nullable(Type.String()), provider_name: Type.String() },
      { description: 'With which the user signed in last' },
    ),
    active: Type.Boolean(),
    last_login_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'OAuthUser', description: 'A user who has signed in with an identity provider' },
);
export type OAuthUser = Static<typeof OAuthUser>;

const counts = Type.Record(Type.String(), Count);

/** The same at two addresses. */
export const OAuthUserStats = Exact(
  {
    total_users: Count,
    active_users: Count,
    inactive_users: Count,
    users_without_group: Count,
    by_role: counts,
    by_group: Type.Record(Type.String(), Count, { description: 'By name; a user counts in each of their groups' }),
    by_provider: Type.Record(Type.String(), Count, { description: 'By the name of the provider of the last login' }),
    recent_logins_24h: Count,
    new_users_7d: Count,
  },
  { title: 'OAuthUserStats' },
);
export type OAuthUserStats = Static<typeof OAuthUserStats>;

const paging = {
  page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
};

export const listOAuthUsers = routes.define({
  method: 'GET',
  path: '/oauth/users',
  role: 'admin',
  summary: 'List the users who have signed in with an identity provider, in the order of their names',
  parts: {
    query: Exact({
      ...optional({
        group_id: Id,
        provider_id: Id,
        role: Type.Enum(roles),
        active: Type.Boolean(),
        search: Type.String({ maxLength: 200, description: 'Part of the name or the e-mail address' }),
      }),
      ...paging,
    }),
    response: Exact({ users: Type.Array(OAuthUser), total: Count, page: Count, page_size: Count }),
  },
});

export const getOAuthUserStats = routes.define({
  method: 'GET',
  path: '/oauth/users/stats',
  role: 'admin',
  summary: 'Count the users who have signed in with an identity provider',
  parts: { response: OAuthUserStats },
});

export const getOAuthUser = routes.define({
  method: 'GET',
  path: '/oauth/users/:id',
  role: 'admin',
  summary: 'Show a user who has signed in with an identity provider',
  parts: { params: ById, response: OAuthUser },
  errors: ['not_found'],
});

export const getOAuthUserByIdentity = routes.define({
  method: 'GET',
  path: '/oauth/users/identity/:identity',
  role: 'admin',
  summary: 'Find a user who has signed in with an identity provider, by name or e-mail address',
  parts: { params: Exact({ identity: Type.String({ minLength: 1, maxLength: 254 }) }), response: OAuthUser },
  errors: ['not_found'],
});

export const listSessionsOfOAuthUser = routes.define({
  method: 'GET',
  path: '/oauth/users/:id/sessions',
  role: 'admin',
  summary: 'List the sessions of a user who has signed in with an identity provider, the newest first',
  parts: { params: ById, query: Exact({ ...optional(WhichSessions), ...page(50) }), response: SessionList },
  errors: ['not_found'],
});

const GroupId = Type.Unsafe<number | null>({
  ...Nullable(Id),
  description: 'The one group of the user from now on; null: none',
});

export const updateOAuthUser = routes.define({
  method: 'PUT',
  path: '/oauth/users/:id',
  role: 'admin',
  summary: 'Change role or group of a user who has signed in with an identity provider',
  parts: {
    params: ById,
    body: Exact(optional({ user_group_id: GroupId, user_role: Type.Enum(roles) })),
    response: OAuthUser,
  },
  errors: ['not_found', 'conflict'],
  audit: [
    'user.updated',
    'user.role.changed',
    'user.activated',
    'user.deactivated',
    'usergroup.member.added',
    'usergroup.member.removed',
  ],
});

export const deactivateOAuthUser = routes.define({
  method: 'DELETE',
  path: '/oauth/users/:id',
  role: 'admin',
  summary: 'Deactivate a user who has signed in with an identity provider, and end all of their sessions',
  parts: { params: ById, response: OAuthUser },
  errors: ['not_found', 'conflict'],
  audit: ['user.deactivated', 'user.updated'],
});

export const activateOAuthUser = routes.define({
  method: 'POST',
  path: '/oauth/users/:id/activate',
  role: 'admin',
  summary: 'Activate a user who has signed in with an identity provider',
  parts: { params: ById, response: OAuthUser },
  errors: ['not_found'],
  audit: ['user.activated', 'user.updated'],
});

export const groupOAuthUsers = routes.define({
  method: 'POST',
  path: '/oauth/users/bulk/group',
  role: 'admin',
  summary: 'Give several users who have signed in with an identity provider the same group: all or none of them',
  parts: {
    body: Exact({
      user_ids: Type.Array(Id, { minItems: 1, maxItems: 500, uniqueItems: true }),
      user_group_id: GroupId,
    }),
    response: Exact({ updated_count: Count }),
  },
  errors: ['not_found'],
  audit: ['usergroup.member.added', 'usergroup.member.removed'],
});

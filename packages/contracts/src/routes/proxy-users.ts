import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('OAuth users');

const AllowedGroup = Exact({
  id: Id,
  name: Type.String(),
  user_count: Type.Integer({ minimum: 0, description: 'Active users of the group' }),
});

export const ProxySignIn = Exact(
  {
    proxy_id: Id,
    proxy_name: Type.String(),
    oauth_access_mode: Type.Enum(['group_only'], { description: 'A user counts for a group that may use the proxy' }),
    oauth_require_group_assignment: Type.Literal(true, { description: 'A user without such a group is refused' }),
    allowed_user_groups: Type.Array(AllowedGroup, { description: 'Active groups with active access' }),
  },
  { title: 'ProxySignIn' },
);
export type ProxySignIn = Static<typeof ProxySignIn>;

const ProxyUser = Exact({
  id: Id,
  user_identity: Type.String(),
  user_email: Type.String(),
  user_group: Exact({ id: Id, name: Type.String() }, { description: 'The group that the user counts for' }),
});
export type ProxyUser = Static<typeof ProxyUser>;

export const ProxyUserTrial = Exact({
  allowed: Type.Boolean(),
  reason: Nullable(
    Type.Enum(['unknown_user', 'user_inactive', 'no_group_assignment', 'group_inactive', 'group_lacks_access']),
  ),
  user_group: Nullable(
    Exact({ id: Id, name: Type.String() }, { description: 'The group that the user counts for, or that lacks access' }),
  ),
});
export type ProxyUserTrial = Static<typeof ProxyUserTrial>;

export const getProxySignIn = routes.define({
  method: 'GET',
  path: '/proxies/:id/oauth',
  role: 'admin',
  summary: 'Tell how users are admitted to a proxy, and the user groups that may use it',
  parts: { params: ById, response: ProxySignIn },
  errors: ['not_found'],
});

export const listProxyUsers = routes.define({
  method: 'GET',
  path: '/proxies/:id/oauth/users',
  role: 'admin',
  summary: 'List the users who may use a proxy, in the order of their names',
  parts: {
    params: ById,
    query: Exact({
      page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
      page_size: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    }),
    response: Exact({ users: Type.Array(ProxyUser), total: Count, page: Count, page_size: Count }),
  },
  errors: ['not_found'],
});

export const tryProxyUser = routes.define({
  method: 'POST',
  path: '/proxies/:id/oauth/test',
  role: 'admin',
  summary: 'Tell whether a user may use a proxy, and if not, why',
  parts: {
    params: ById,
    body: Exact({
      user_identity: Type.String({ minLength: 1, maxLength: 320, description: 'Name or e-mail address of the user' }),
    }),
    response: ProxyUserTrial,
  },
  errors: ['not_found'],
  audit: { none: 'reads who may use the proxy' },
});

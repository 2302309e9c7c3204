import { Type, type Static } from 'typebox';
import { Count, Exact, Id, Nullable } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { OAuthRuleStats } from './oauth-rules.ts';
import { OAuthUserStats } from './oauth-users.ts';

export const routes = createRouteList('OAuth analytics');

const Days = Exact({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 7, description: 'Days back from now' }),
});

const days = Type.Integer({ minimum: 1, description: 'As it was asked for' });

const ProviderCounts = Exact({
  provider_id: Nullable(Type.Integer({ ...Id, description: 'null: a provider of the environment' })),
  provider_name: Type.String(),
  provider_type: Nullable(Type.String()),
  total_users: Type.Integer({ minimum: 0, description: 'Users who have ever signed in with the provider' }),
  new_users: Type.Integer({ minimum: 0, description: 'Users whose first login with the provider was in these days' }),
  users_signed_in: Type.Integer({
    minimum: 0,
    description: 'Users whose latest login with the provider was in these days',
  }),
});

const GroupCounts = Exact({
  user_group_id: Id,
  name: Type.String(),
  total_users: Type.Integer({ minimum: 0, description: 'Users of the group who have signed in with a provider' }),
  active_users: Count,
  users_signed_in: Type.Integer({ minimum: 0, description: 'Users of the group whose latest login was in these days' }),
  rules: Type.Integer({ minimum: 0, description: 'Active rules that give the group' }),
});

const DayCounts = Exact({
  date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A day in UTC' }),
  logins: Type.Integer({ minimum: 0, description: 'Logins with a provider, by the audit log' }),
  failed_logins: Type.Integer({ minimum: 0, description: 'Logins with a provider that failed, by the audit log' }),
  new_users: Type.Integer({ minimum: 0, description: 'Users who first signed in with a provider on that day' }),
});

export const OAuthProviderAnalytics = Exact({ days, providers: Type.Array(ProviderCounts) });
export type OAuthProviderAnalytics = Static<typeof OAuthProviderAnalytics>;

export const OAuthGroupAnalytics = Exact({ days, groups: Type.Array(GroupCounts) });
export type OAuthGroupAnalytics = Static<typeof OAuthGroupAnalytics>;

export const OAuthTimeline = Exact({ days, timeline: Type.Array(DayCounts) });
export type OAuthTimeline = Static<typeof OAuthTimeline>;

export const OAuthAccessAnalytics = Exact({
  days,
  total_access_attempts: Type.Integer({ minimum: 0, description: 'Requests of users on proxies' }),
  successful_access: Type.Integer({
    minimum: 0,
    description: 'Requests that were admitted; policies may have blocked them',
  }),
  denied_access: Count,
  rate_limited: Count,
  by_proxy: Type.Record(
    Type.String(),
    Exact({
      attempts: Count,
      allowed: Count,
      denied: Type.Integer({ minimum: 0, description: 'With those over a limit' }),
    }),
    { description: 'By the name of the proxy, of deleted ones by `proxy` and their id' },
  ),
  denial_reasons: Exact({
    no_group_assignment: Count,
    group_lacks_access: Count,
    group_inactive: Count,
  }),
});
export type OAuthAccessAnalytics = Static<typeof OAuthAccessAnalytics>;

export const getOAuthUserAnalytics = routes.define({
  method: 'GET',
  path: '/oauth/analytics/users',
  role: 'admin',
  summary: 'Count the users who have signed in with an identity provider, as /oauth/users/stats does',
  parts: { response: OAuthUserStats },
});

export const getOAuthRuleAnalytics = routes.define({
  method: 'GET',
  path: '/oauth/analytics/rules',
  role: 'admin',
  summary: 'Count the rules for first logins, as /oauth/rules/stats does',
  parts: { response: OAuthRuleStats },
});

export const getOAuthAccessAnalytics = routes.define({
  method: 'GET',
  path: '/oauth/analytics/access',
  role: 'admin',
  summary: 'Count what users asked of proxies with a session or through a client that they let in',
  parts: { query: Days, response: OAuthAccessAnalytics },
});

export const getOAuthProviderAnalytics = routes.define({
  method: 'GET',
  path: '/oauth/analytics/providers',
  role: 'admin',
  summary: 'Count the users of each identity provider that was signed in with',
  parts: { query: Days, response: OAuthProviderAnalytics },
});

export const getOAuthGroupAnalytics = routes.define({
  method: 'GET',
  path: '/oauth/analytics/groups',
  role: 'admin',
  summary: 'Count the users of each user group who have signed in with an identity provider',
  parts: { query: Days, response: OAuthGroupAnalytics },
});

export const getOAuthTimeline = routes.define({
  method: 'GET',
  path: '/oauth/analytics/timeline',
  role: 'admin',
  summary: 'Count logins with identity providers and new users by day, today last',
  parts: { query: Days, response: OAuthTimeline },
});

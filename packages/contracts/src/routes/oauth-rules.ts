import { Type, type Static } from 'typebox';
import { ById, Count, Description, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { roles } from './auth.ts';

export const routes = createRouteList('OAuth rules');

export const ruleTypes = ['email_domain', 'email_pattern', 'org_domain', 'provider'] as const;

const RuleType = Type.Enum(ruleTypes, {
  description:
    'What rule_value is: the domain of an address, a regular expression for a whole address, a domain with those below it, or the name of a provider',
});
const RuleValue = Type.String({ minLength: 1, maxLength: 500 });
const Priority = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  default: 0,
  description: 'The highest among those that match decides the role',
});

const options = {
  provider_id: Nullable(Id),
  user_group_id: Nullable(Id),
  user_role: Type.Enum(roles, {
    default: 'user',
    description: 'A role that reads the management API needs a provider_id, or the type provider',
  }),
  priority: Priority,
  active: Type.Boolean({ default: true }),
  description: Description,
};

export const OAuthRule = Exact(
  {
    id: Id,
    rule_type: RuleType,
    rule_value: RuleValue,
    ...options,
    user_group: Nullable(Exact({ id: Id, name: Type.String(), active: Type.Boolean() })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'OAuthRule', description: 'Who becomes a user at their first login, with which role and in which group' },
);
export type OAuthRule = Static<typeof OAuthRule>;

export const OAuthRuleCreation = Exact({ rule_type: RuleType, rule_value: RuleValue, ...optional(options) });
export type OAuthRuleCreation = Static<typeof OAuthRuleCreation>;

export const OAuthRuleChange = Exact(optional({ rule_type: RuleType, rule_value: RuleValue, ...options }));
export type OAuthRuleChange = Static<typeof OAuthRuleChange>;

export const listOAuthRules = routes.define({
  method: 'GET',
  path: '/oauth/rules',
  role: 'viewer',
  summary: 'List the rules that say who becomes a user at their first login, the highest priority first',
  parts: {
    query: Exact({
      ...optional({
        group_id: Id,
        rule_type: RuleType,
        provider_id: Id,
        active: Type.Boolean(),
        search: Type.String({ maxLength: 200, description: 'Part of the value or the description' }),
      }),
      ...page(50),
    }),
    response: Exact({ rules: Type.Array(OAuthRule), total: Count, limit: Count, offset: Count }),
  },
});

export const createOAuthRule = routes.define({
  method: 'POST',
  path: '/oauth/rules',
  role: 'admin',
  summary: 'Add a rule that says who becomes a user at their first login',
  status: 201,
  parts: { body: OAuthRuleCreation, response: OAuthRule },
  audit: 'oauth.rule.created',
});

export const getOAuthRule = routes.define({
  method: 'GET',
  path: '/oauth/rules/:id',
  role: 'viewer',
  summary: 'Show a rule',
  parts: { params: ById, response: OAuthRule },
  errors: ['not_found'],
});

export const updateOAuthRule = routes.define({
  method: 'PUT',
  path: '/oauth/rules/:id',
  role: 'admin',
  summary: 'Change fields of a rule; users who have come by it stay as they are',
  parts: { params: ById, body: OAuthRuleChange, response: OAuthRule },
  errors: ['not_found'],
  audit: 'oauth.rule.updated',
});

export const deleteOAuthRule = routes.define({
  method: 'DELETE',
  path: '/oauth/rules/:id',
  role: 'admin',
  summary: 'Remove a rule; users who have come by it stay',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'oauth.rule.deleted',
});

const changes = {
  role: 'admin',
  errors: ['not_found'],
  audit: 'oauth.rule.updated',
} as const;

export const setOAuthRulePriority = routes.define({
  ...changes,
  method: 'PUT',
  path: '/oauth/rules/:id/priority',
  summary: 'Change the priority of a rule',
  parts: { params: ById, body: Exact({ priority: Priority }), response: OAuthRule },
});

export const activateOAuthRule = routes.define({
  ...changes,
  method: 'POST',
  path: '/oauth/rules/:id/activate',
  summary: 'Activate a rule',
  parts: { params: ById, response: OAuthRule },
});

export const deactivateOAuthRule = routes.define({
  ...changes,
  method: 'POST',
  path: '/oauth/rules/:id/deactivate',
  summary: 'Deactivate a rule; users who have come by it stay',
  parts: { params: ById, response: OAuthRule },
});

export const createOAuthRules = routes.define({
  method: 'POST',
  path: '/oauth/rules/bulk',
  role: 'admin',
  summary: 'Add several rules: all or none of them',
  status: 201,
  parts: {
    body: Exact({ rules: Type.Array(OAuthRuleCreation, { minItems: 1, maxItems: 100 }) }),
    response: Exact({ rules: Type.Array(OAuthRule), created_count: Count }),
  },
  audit: 'oauth.rule.created',
});

const counts = Type.Record(Type.String(), Count);

/** The same at two addresses. */
export const OAuthRuleStats = Exact(
  {
    total_rules: Count,
    active_rules: Count,
    inactive_rules: Count,
    by_type: counts,
    by_role: counts,
    by_group: Type.Record(Type.String(), Count, { description: 'By the name of the group' }),
    by_provider: Type.Record(Type.String(), Count, { description: 'By the name of the provider that the rule is for' }),
  },
  { title: 'OAuthRuleStats' },
);
export type OAuthRuleStats = Static<typeof OAuthRuleStats>;

export const getOAuthRuleStats = routes.define({
  method: 'GET',
  path: '/oauth/rules/stats',
  role: 'viewer',
  summary: 'Count the rules that say who becomes a user at their first login',
  parts: { response: OAuthRuleStats },
});

import { Type, type Static } from 'typebox';
import { ById, Exact, Id, Name, Nullable, optional } from '../fields.ts';
import { policyModes, policyTypes } from '../policy-file.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { PolicyNames } from './proxies.ts';

export const routes = createRouteList('Proxy policies');

const AvailablePolicy = Exact(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    version: Type.String(),
    severity: Type.Enum(severities),
    policy_type: Type.Enum(policyTypes),
    assigned: Type.Boolean(),
    mode: Nullable(Type.Enum(policyModes, { description: 'Of the assignment: shadow is recorded, never enforced' })),
    active: Type.Boolean(),
  },
  { title: 'AvailablePolicy' },
);

export const ProxyPolicies = Exact(
  {
    assigned_policies: Type.Array(Type.String()),
    unknown_policies: Type.Array(Type.String(), { description: 'Assigned names that no policy has (yet)' }),
    available_policies: Type.Array(AvailablePolicy),
  },
  { title: 'ProxyPolicies' },
);
export type ProxyPolicies = Static<typeof ProxyPolicies>;

const OnePolicy = Exact({ id: Id, policyName: { ...Name, description: 'Name or id' } });

export const listProxyPolicies = routes.define({
  method: 'GET',
  path: '/proxies/:id/policies',
  role: 'viewer',
  summary: "List a proxy's policies and those it could have",
  parts: { params: ById, response: ProxyPolicies },
  errors: ['not_found'],
});

const replacement = {
  path: '/proxies/:id/policies',
  role: 'admin',
  parts: {
    params: ById,
    body: Exact(optional({ policy_names: PolicyNames, policies: PolicyNames })),
    response: ProxyPolicies,
  },
  errors: ['not_found'],
  audit: 'policy.bulk.assigned',
} as const;

export const replaceProxyPolicies = routes.define({
  ...replacement,
  method: 'POST',
  summary:
    "Replace all of a proxy's policies, given by name or id; one of policy_names and its synonym policies is required",
});

export const putProxyPolicies = routes.define({
  ...replacement,
  method: 'PUT',
  summary: "Replace all of a proxy's policies, as POST does",
});

export const addProxyPolicy = routes.define({
  method: 'PUT',
  path: '/proxies/:id/policies/:policyName',
  role: 'admin',
  summary: 'Add one policy to a proxy, in force or in shadow mode; one that is assigned takes the mode that is given',
  bodyOptional: true,
  parts: {
    params: OnePolicy,
    body: Exact(optional({ mode: Type.Enum(policyModes, { default: 'enforce' }) })),
    response: ProxyPolicies,
  },
  errors: ['not_found'],
  audit: ['policy.assigned', 'policy.assignment.updated'],
});

export const removeProxyPolicy = routes.define({
  method: 'DELETE',
  path: '/proxies/:id/policies/:policyName',
  role: 'admin',
  summary: 'Remove one policy from a proxy',
  parts: { params: OnePolicy, response: ProxyPolicies },
  errors: ['not_found'],
  audit: 'policy.unassigned',
});

import { Type, type Static } from 'typebox';
import { ById, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { listenerTypes } from '../records.ts';

export const routes = createRouteList('Proxy access');

const options = {
  permissions: Type.String({
    maxLength: 4_096,
    default: '{}',
    description:
      'Kept as given; a JSON object may narrow with `tools` and `tool_rate_limits` which MCP tools may be called',
  }),
  rate_limit: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Requests per minute and key; 0: unlimited',
  }),
  active: Type.Boolean({ default: true }),
};

const SystemPromptId = Nullable(Type.Integer({ ...Id, description: "The team's system prompt on this proxy" }));

export const ProxyAccess = Exact(
  {
    id: Id,
    user_group_id: Id,
    proxy_config_id: Id,
    proxy_name: Type.String(),
    proxy_type: Type.Enum(listenerTypes),
    ...options,
    system_prompt_id: SystemPromptId,
    created_at: Timestamp,
  },
  { title: 'ProxyAccess' },
);
export type ProxyAccess = Static<typeof ProxyAccess>;

export const ProxyAccessChange = Exact(optional(options));
export type ProxyAccessChange = Static<typeof ProxyAccessChange>;

export const listProxyAccess = routes.define({
  method: 'GET',
  path: '/user-groups/:id/proxy-access',
  role: 'viewer',
  summary: 'List the proxies that a user group may use',
  parts: { params: ById, response: Exact({ proxy_access: Type.Array(ProxyAccess) }) },
  errors: ['not_found'],
});

/** As the specification names it for groups of users. */
export const listGroupProxies = routes.define({
  ...listProxyAccess,
  path: '/auth/groups/:id/proxies',
});

export const listProxiesOfGroup = routes.define({
  method: 'GET',
  path: '/user-groups/:id/proxies',
  role: 'viewer',
  summary: 'List the proxies that a user group may use, each with its access entry',
  parts: {
    params: ById,
    response: Type.Array(
      Exact({
        ...ProxyAccess.properties,
        proxy: Exact({ id: Id, name: Type.String(), type: Type.Enum(listenerTypes), port: Type.Integer() }),
      }),
    ),
  },
  errors: ['not_found'],
});

export const grantProxyAccess = routes.define({
  method: 'POST',
  path: '/user-groups/:id/proxy-access',
  role: 'admin',
  summary: 'Grant a user group access to a proxy; one of proxy_config_id and its synonym proxy_id is required',
  status: 201,
  parts: {
    params: ById,
    body: Exact(optional({ proxy_config_id: Id, proxy_id: Id, ...options })),
    response: ProxyAccess,
  },
  errors: ['not_found', 'conflict'],
  audit: 'usergroup.access.added',
});

/** As the specification names it for groups of users. */
export const grantGroupProxy = routes.define({ ...grantProxyAccess, path: '/auth/groups/:id/proxies' });

export const updateProxyAccess = routes.define({
  method: 'PUT',
  path: '/user-groups/:id/proxy-access/:accessId',
  role: 'admin',
  summary: 'Change the given fields of an access entry',
  parts: { params: Exact({ id: Id, accessId: Id }), body: ProxyAccessChange, response: ProxyAccess },
  errors: ['not_found'],
  audit: 'usergroup.access.updated',
});

export const setAccessPrompt = routes.define({
  method: 'PATCH',
  path: '/user-groups/:id/proxy-access/:accessId',
  role: 'admin',
  summary: 'Set the system prompt of a user group on an LLM proxy, or remove it with null',
  parts: {
    params: Exact({ id: Id, accessId: Id }),
    body: Exact({ system_prompt_id: SystemPromptId }),
    response: ProxyAccess,
  },
  errors: ['not_found'],
  audit: ['system_prompt.assigned', 'system_prompt.unassigned'],
});

export const revokeProxyAccess = routes.define({
  method: 'DELETE',
  path: '/user-groups/:id/proxy-access/:proxyId',
  role: 'admin',
  summary: 'Revoke the access of a user group to a proxy; the last part of the path is the id of the proxy',
  parts: { params: Exact({ id: Id, proxyId: Id }) },
  errors: ['not_found'],
  audit: 'usergroup.access.removed',
});

import { Type, type Static } from 'typebox';
import { ById, Exact, Id, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Agents');

const options = {
  rate_limit: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Invocations per minute of the whole user group; 0: unlimited',
  }),
  active: Type.Boolean({ default: true }),
};

export const AgentAccess = Exact(
  {
    id: Id,
    agent_id: Id,
    user_group_id: Id,
    user_group_name: Type.String(),
    ...options,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'AgentAccess' },
);
export type AgentAccess = Static<typeof AgentAccess>;

export const listAgentAccess = routes.define({
  method: 'GET',
  path: '/agents/:id/access',
  role: 'admin',
  summary: 'List the user groups that may use an agent',
  parts: { params: ById, response: Type.Array(AgentAccess) },
  errors: ['not_found'],
});

export const grantAgentAccess = routes.define({
  method: 'POST',
  path: '/agents/:id/access',
  role: 'admin',
  summary: 'Grant a user group access to an agent, or change the given fields of its access entry',
  parts: { params: ById, body: Exact({ user_group_id: Id, ...optional(options) }), response: AgentAccess },
  errors: ['not_found'],
  audit: ['agent.access.added', 'agent.access.updated'],
});

const ByAccess = Exact({ id: Id, accessId: Id });

export const updateAgentAccess = routes.define({
  method: 'PUT',
  path: '/agents/:id/access/:accessId',
  role: 'admin',
  summary: 'Change the given fields of an access entry',
  parts: { params: ByAccess, body: Exact(optional(options)), response: AgentAccess },
  errors: ['not_found'],
  audit: 'agent.access.updated',
});

export const revokeAgentAccess = routes.define({
  method: 'DELETE',
  path: '/agents/:id/access/:accessId',
  role: 'admin',
  summary: 'Revoke the access of a user group to an agent',
  parts: { params: ByAccess },
  errors: ['not_found'],
  audit: 'agent.access.removed',
});

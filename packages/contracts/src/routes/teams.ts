import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Team usage');

const days = {
  days: Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Whole UTC days, today included' }),
};
const Days = Exact(days);

const sums = { total_tokens: Count, total_cost: Type.Number({ description: 'USD' }), request_count: Count };

const team = { user_group_id: Id, user_group_name: Type.String() };

const tools = {
  unique_tools: Count,
  tool_usage: Type.Array(Exact({ tool_name: Type.String(), usage_count: Count, unique_users: Count }), {
    description: 'The 100 tools that are called most; its users are API keys',
  }),
};

const usage = { ...team, ...sums, llm_requests: Count, mcp_requests: Count, ...tools };

export const TeamUsage = Exact(usage, { title: 'TeamUsage' });
export type TeamUsage = Static<typeof TeamUsage>;

const inPeriod = { ...usage, period_days: Count };

export const TeamTokens = Exact(
  {
    ...inPeriod,
    model_breakdown: Type.Array(Exact({ provider: Type.String(), model: Type.String(), ...sums })),
    provider_breakdown: Type.Array(Exact({ provider: Type.String(), ...sums })),
  },
  { title: 'TeamTokens' },
);
export type TeamTokens = Static<typeof TeamTokens>;

export const TeamMcpStats = Exact(
  {
    ...team,
    period_days: Count,
    total_mcp_requests: { ...Count, description: 'Calls of tools and all other messages to MCP proxies' },
    ...tools,
  },
  { title: 'TeamMcpStats' },
);
export type TeamMcpStats = Static<typeof TeamMcpStats>;

export const listTeamUsage = routes.define({
  method: 'GET',
  path: '/teams/usage',
  role: 'viewer',
  summary: 'Summarize the usage of each user group, highest cost first; X-Total-Count has their number',
  parts: { query: Exact({ ...days, ...page(100) }), response: Type.Array(TeamUsage) },
});

export const getTeamUsage = routes.define({
  method: 'GET',
  path: '/teams/:id/usage',
  role: 'viewer',
  summary: 'Summarize the usage of a user group',
  parts: { params: ById, query: Days, response: Exact(inPeriod) },
  errors: ['not_found'],
});

export const getTeamTokens = routes.define({
  method: 'GET',
  path: '/teams/:id/tokens',
  role: 'viewer',
  summary: 'Summarize the tokens of a user group by provider and model',
  parts: { params: ById, query: Days, response: TeamTokens },
  errors: ['not_found'],
});

export const getTeamMcpStats = routes.define({
  method: 'GET',
  path: '/teams/:id/mcp-stats',
  role: 'viewer',
  summary: 'Summarize the usage of MCP proxies by a user group',
  parts: { params: ById, query: Days, response: TeamMcpStats },
  errors: ['not_found'],
});

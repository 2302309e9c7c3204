import { evaluationRunRoutes } from './evaluation-run-routes.ts';
import type { Route, RouteList } from './route.ts';
import { routes as agentAccess } from './routes/agent-access.ts';
import { routes as agentCardChanges } from './routes/agent-card-changes.ts';
import { routes as agentCards } from './routes/agent-cards.ts';
import { routes as agentLogs } from './routes/agent-logs.ts';
import { routes as agentTasks } from './routes/agent-tasks.ts';
import { routes as agents } from './routes/agents.ts';
import { routes as alertGroups } from './routes/alert-groups.ts';
import { routes as alertWork } from './routes/alert-work.ts';
import { routes as alerts } from './routes/alerts.ts';
import { routes as apiKeys } from './routes/api-keys.ts';
import { routes as approvals } from './routes/approvals.ts';
import { routes as audit } from './routes/audit.ts';
import { routes as auth } from './routes/auth.ts';
import { routes as browserSessions } from './routes/browser-sessions.ts';
import { routes as budgetList } from './routes/budget-list.ts';
import { routes as budgets } from './routes/budgets.ts';
import { routes as canaries } from './routes/canaries.ts';
import { routes as downloadLinks } from './routes/download-links.ts';
import { routes as evaluationCases } from './routes/evaluation-cases.ts';
import { routes as groupMembers } from './routes/group-members.ts';
import { routes as guardrailChecks } from './routes/guardrail-checks.ts';
import { routes as guardrailEndpoints } from './routes/guardrail-endpoints.ts';
import { routes as guardrailProviders } from './routes/guardrail-providers.ts';
import { routes as history } from './routes/history.ts';
import { routes as integrations } from './routes/integrations.ts';
import { routes as mcpDiscovery } from './routes/mcp-discovery.ts';
import { routes as mcpToolChanges } from './routes/mcp-tool-changes.ts';
import { routes as mcpTools } from './routes/mcp-tools.ts';
import { routes as metrics } from './routes/metrics.ts';
import { routes as oauthAnalytics } from './routes/oauth-analytics.ts';
import { routes as oauthLogin } from './routes/oauth-login.ts';
import { routes as oauthProviders } from './routes/oauth-providers.ts';
import { routes as oauthProxy } from './routes/oauth-proxy.ts';
import { routes as oauthRules } from './routes/oauth-rules.ts';
import { routes as oauthSessions } from './routes/oauth-sessions.ts';
import { routes as oauthUsers } from './routes/oauth-users.ts';
import { routes as policies } from './routes/policies.ts';
import { routes as policyExceptions } from './routes/policy-exceptions.ts';
import { routes as policyLanguage } from './routes/policy-language.ts';
import { routes as policyMetrics } from './routes/policy-metrics.ts';
import { routes as policySamples } from './routes/policy-samples.ts';
import { routes as policyTests } from './routes/policy-tests.ts';
import { routes as policyVersions } from './routes/policy-versions.ts';
import { routes as proxies } from './routes/proxies.ts';
import { routes as proxyAccess } from './routes/proxy-access.ts';
import { routes as proxyLifecycle } from './routes/proxy-lifecycle.ts';
import { routes as proxyPolicies } from './routes/proxy-policies.ts';
import { routes as proxyRecords } from './routes/proxy-records.ts';
import { routes as proxyTrials } from './routes/proxy-trials.ts';
import { routes as proxyUsers } from './routes/proxy-users.ts';
import { routes as requests } from './routes/requests.ts';
import { routes as sessions } from './routes/sessions.ts';
import { routes as settings } from './routes/settings.ts';
import { routes as signIn } from './routes/sign-in.ts';
import { routes as spend } from './routes/spend.ts';
import { routes as system } from './routes/system.ts';
import { routes as systemPrompts } from './routes/system-prompts.ts';
import { routes as teams } from './routes/teams.ts';
import { routes as userGroups } from './routes/user-groups.ts';
import { routes as users } from './routes/users.ts';
import { skillRoutes } from './skill-routes.ts';

const join = (...lists: readonly RouteList[]): readonly Route[] => lists.flatMap(({ routes }) => routes);

/** What the management API answers. */
export const managementRoutes = join(
  auth,
  browserSessions,
  downloadLinks,
  signIn,
  oauthLogin,
  oauthProviders,
  oauthRules,
  oauthUsers,
  oauthSessions,
  oauthAnalytics,
  proxyUsers,
  oauthProxy,
  users,
  proxies,
  proxyLifecycle,
  proxyTrials,
  proxyPolicies,
  proxyRecords,
  requests,
  sessions,
  userGroups,
  groupMembers,
  proxyAccess,
  apiKeys,
  policyLanguage,
  policies,
  policySamples,
  policyVersions,
  policyMetrics,
  policyTests,
  policyExceptions,
  mcpTools,
  mcpToolChanges,
  approvals,
  mcpDiscovery,
  teams,
  budgets,
  budgetList,
  spend,
  systemPrompts,
  guardrailProviders,
  guardrailChecks,
  guardrailEndpoints,
  evaluationCases,
  alerts,
  alertGroups,
  alertWork,
  audit,
  history,
  canaries,
  settings,
  system,
  metrics,
);

/** What the hub for agents answers. */
export const agentRoutes = join(agents, agentAccess, agentLogs, agentCards, agentCardChanges);

/** Calls of agents, which the hub serves from the stages of its pipeline. */
export const agentCallRoutes = agentTasks.routes;

/** What the notifier answers. */
export const integrationRoutes = integrations.routes;

/** What services beside the management API answer: a line for each. */
export const servicesRoutes: readonly Route[] = [
  ...agentRoutes,
  ...agentCallRoutes,
  ...skillRoutes,
  ...evaluationRunRoutes,
  ...integrationRoutes,
];

/** Every route of the installation, whichever service answers it. */
export const allRoutes: readonly Route[] = [...managementRoutes, ...servicesRoutes];

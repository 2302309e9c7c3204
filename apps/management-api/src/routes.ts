import type { Database } from '@portcullis/platform/database/database';
import type { Health } from '@portcullis/contracts/routes/system';
import type { BoundRoute } from '@portcullis/platform/routes/bound-route';
import { alertRoutes } from './alerts/alert-routes.ts';
import { alertWorkRoutes } from './alerts/alert-work-routes.ts';
import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import { approvalRoutes } from './approvals/approval-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { downloadLinkRoutes } from './auth/download-link-routes.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { canaryRoutes } from './canaries/canary-routes.ts';
import { mcpDiscoveryRoutes } from './mcp-discovery/discovery-routes.ts';
import { policyExamRoutes } from './policy-tests/policy-exam-routes.ts';
import { policyLanguageRoutes } from './policies/policy-language-routes.ts';
import { policySampleRoutes } from './policies/policy-sample-routes.ts';
import { policyMetricsRoutes } from './policies/policy-metrics.ts';
import { policyRoutes } from './policies/policy-routes.ts';
import { budgetRoutes } from './budgets/budget-routes.ts';
import { policyTestRoutes } from './policy-tests/policy-test-routes.ts';
import { policyVersionRoutes } from './policies/policy-version-routes.ts';
import { budgetReportRoutes } from './budgets/report-routes.ts';
import { caseRoutes } from './evaluations/case-routes.ts';
import { endpointRoutes } from './evaluations/endpoint-routes.ts';
import { endpointTestRoute } from './evaluations/endpoint-test-route.ts';
import { exceptionRoutes } from './exceptions/exception-routes.ts';
import { guardrailAssignmentRoutes } from './guardrail-providers/assignment-routes.ts';
import { guardrailCheckRoutes } from './guardrail-providers/check-routes.ts';
import { guardrailProviderRoutes } from './guardrail-providers/provider-routes.ts';
import { guardrailTrialRoutes } from './guardrail-providers/trial-routes.ts';
import { historyRoutes } from './history/history-routes.ts';
import { lifecycleRoutes } from './proxies/lifecycle-routes.ts';
import { proxyPolicyRoutes } from './proxies/proxy-policy-routes.ts';
import { proxyRoutes } from './proxies/proxy-routes.ts';
import { recordRoutes } from './proxies/record-routes.ts';
import { trialRoutes } from './proxy-trials/trial-routes.ts';
import { requestRoutes } from './requests/request-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import type { ManagementParts } from './service-parts.ts';
import { settingRoutes } from './settings/setting-routes.ts';
import { promptAssignmentRoutes } from './system-prompts/assignment-routes.ts';
import { oauthProviderRoutes } from './oauth/provider-routes.ts';
import { oauthProxyRoutes } from './oauth-proxy/oauth-proxy-routes.ts';
import { oauthRuleRoutes } from './oauth/rule-routes.ts';
import { oauthSessionRoutes } from './oauth/session-routes.ts';
import { oauthAnalyticsRoutes } from './oauth/analytics-routes.ts';
import { proxyUserRoutes } from './oauth/proxy-user-routes.ts';
import { oauthUserRoutes } from './oauth/oauth-user-routes.ts';
import { oauthTrialRoutes } from './oauth/trial-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { spendRoutes } from './spend/spend-routes.ts';
import { systemPromptRoutes } from './system-prompts/system-prompt-routes.ts';
import { metricsRoutes } from './system/metrics-routes.ts';
import { systemRoutes } from './system/system-routes.ts';
import { memberRoutes } from './user-groups/member-routes.ts';
import { teamRoutes } from './teams/team-routes.ts';
import { discoveryRoutes } from './tools/discovery-routes.ts';
import { toolChangeRoutes } from './tools/change-routes.ts';
import { toolRoutes } from './tools/tool-routes.ts';
import { proxyAccessRoutes } from './user-groups/proxy-access-routes.ts';
import { userGroupRoutes } from './user-groups/user-group-routes.ts';
import { userRoutes } from './users/user-routes.ts';

/** What was recorded of traffic. */
const trafficRoutes = (database: Database): BoundRoute[] => [
  ...requestRoutes(database), // /requests
  ...sessionRoutes(database), // /sessions
  ...recordRoutes(database), //  /proxies/:id/{logs,stats,tokens,alerts}
];

const groupRoutes = (database: Database): BoundRoute[] => [
  ...userGroupRoutes(database), //   /user-groups, /user-groups/:id
  ...proxyAccessRoutes(database), // /user-groups/:id/proxy-access
  ...memberRoutes(database), //      /auth/groups/:id/users
];

/** Every endpoint of the management API, by the folder that answers it. */
export function bindRoutes(parts: ManagementParts, checkHealth: () => Promise<Health>): BoundRoute[] {
  const { infrastructure, sealKey, sessions, recent, guardrails, signIn } = parts;
  const { identity, browserSessions } = parts.api;
  const { database, coordination, config } = infrastructure;
  return [
    ...downloadLinkRoutes(database, config), //            /auth/download-links
    ...authRoutes({ database, coordination, sessions, browserSessions }), // /auth/*
    ...signInRoutes({ ...infrastructure, identity, sessions, browserSessions, signIn }), // /auth/oauth/*, /oauth/{authorize,callback,…}
    ...oauthProviderRoutes({ ...infrastructure, sessions }), // /oauth/providers
    ...oauthTrialRoutes({ ...infrastructure, clients: signIn.clients }), // /oauth/providers/{templates,discover,:id/test}
    ...oauthRuleRoutes(database), //                       /oauth/rules
    ...oauthSessionRoutes(database, sessions), //          /oauth/sessions
    ...oauthProxyRoutes({ ...infrastructure, clients: signIn.clients, documents: parts.documents }), // /oauth-proxy/*
    ...oauthAnalyticsRoutes(database), //                  /oauth/analytics
    ...proxyUserRoutes(database), //                       /proxies/:id/oauth
    ...oauthUserRoutes({ database, sessions }), //         /oauth/users
    ...userRoutes({ database, sessions }), //              /auth/users
    ...proxyRoutes(infrastructure), //                     /proxies, /proxies/:id
    ...lifecycleRoutes(database, parts.command), //         /proxies/:id/{start,stop,restart,status}, /proxies/status
    ...trialRoutes(infrastructure), //                     /proxies/:id/try
    ...proxyPolicyRoutes(database), //                     /proxies/:id/policies
    ...trafficRoutes(database),
    ...groupRoutes(database),
    ...apiKeyRoutes(database), //                          /api-keys
    ...bindPolicyRoutes(parts), //                         /policies
    ...bindToolRoutes(parts), //                           /proxies/:id/tools, /mcp, /approvals
    ...teamRoutes(database), //                            /teams
    ...spendRoutes(database), //                           /spend
    ...budgetRoutes(database), //                          /budgets, /user-groups/:id/budget-status
    ...budgetReportRoutes(database), //                    /budgets/reports
    ...systemPromptRoutes(database), //                    /system-prompts
    ...promptAssignmentRoutes(database), //                /system-prompts/:id/assign, /proxies/:id/system-prompts
    ...guardrailProviderRoutes(infrastructure), //         /security/guardrails/providers
    ...guardrailAssignmentRoutes(database), //             /security/guardrails/providers/:id/assignments
    ...guardrailCheckRoutes(database), //                  /security/guardrails/providers/{checks,metrics}
    ...guardrailTrialRoutes(infrastructure, guardrails), // /security/guardrails/providers/:id/{health,test}
    ...endpointRoutes(infrastructure), //                  /security/guardrails/endpoints
    endpointTestRoute({ ...infrastructure, connections: parts.endpoints }), // /security/guardrails/endpoints/:id/test
    ...caseRoutes(database), //                            /security/guardrails/{test-cases,categories}
    ...auditRoutes(database, sealKey), // /audit/*
    ...historyRoutes(database), //                         /proxies/:id/history, …
    ...alertRoutes(database, coordination.bus), //         /system/alerts
    ...alertWorkRoutes(database, coordination.bus), //     /system/alerts/:id/notes, …
    ...canaryRoutes(database), //                          /security/canaries
    ...exceptionRoutes(database), //                       /security/exceptions, /system/alerts/:id/exception-scope
    ...settingRoutes(infrastructure), //                   /system/settings, /system/integrations
    ...metricsRoutes(infrastructure, recent), //           /metrics, /system/{info,version,metrics,db/pool}
    // /health, /metrics, /openapi.json, /system/dead-letters
    ...systemRoutes({
      checkHealth,
      renderMetrics: () => parts.collector.render(),
      metricsToken: config.METRICS_TOKEN,
    }),
  ];
}

/** Tools of MCP servers, and what is held until an admin decides. */
function bindToolRoutes({ infrastructure, scanner, api }: ManagementParts): BoundRoute[] {
  const { database, config } = infrastructure;
  return [
    ...discoveryRoutes(infrastructure, scanner), //        /proxies/:id/tools/discover
    ...toolChangeRoutes(infrastructure, scanner), //       /mcp/tools/:proxyId
    ...approvalRoutes(infrastructure, scanner), //                   /approvals
    ...mcpDiscoveryRoutes({ database, config, authentication: api.authentication }), // /mcp/discover, /mcp/config
    ...toolRoutes(database), //                            /proxies/:id/tools
  ];
}

const bindPolicyRoutes = ({ infrastructure: { database }, recent, policies, exams }: ManagementParts): BoundRoute[] => [
  ...policyLanguageRoutes(), //                          /policies/{schema,detectors}, before those that have names
  ...policyRoutes(database, policies), //                /policies
  ...policySampleRoutes(database, policies), //          /policies/:name/samples
  ...policyVersionRoutes(database, policies), //         /policies/:name/{versions,rollback,toggle,copy,file}
  ...policyMetricsRoutes(database, recent), //           /policies/:name/metrics
  ...policyTestRoutes(database, policies), //            /policies/test, /policies/patterns/analyze
  ...policyExamRoutes({ database, checker: policies, examiner: exams }), // /policies/evaluate
];

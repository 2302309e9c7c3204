import type { Route } from './route.ts';
import { alertRoutes } from './alert-routes.ts';
import { evaluationRoutes } from './evaluation-routes.ts';
import { evaluationRunRoutes } from './evaluation-run-routes.ts';
import { skillRoutes } from './skill-routes.ts';
import { grantAgentAccess, listAgentAccess, revokeAgentAccess, updateAgentAccess } from './routes/agent-access.ts';
import {
  approveCardChange,
  detectCardChanges,
  listCardChanges,
  rejectCardChange,
} from './routes/agent-card-changes.ts';
import {
  getCardKeys,
  getGatewayCard,
  getServedCard,
  getServedLegacyCard,
  listSigningKeys,
  rotateSigningKey,
} from './routes/agent-cards.ts';
import { getAgentLog, listAgentLogs } from './routes/agent-logs.ts';
import { cancelAgentTask, getAgentTask, invokeAgent, listAgentTasks } from './routes/agent-tasks.ts';
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './routes/agents.ts';
import { addGroupMember, listGroupMembers, removeGroupMember } from './routes/group-members.ts';
import {
  exportAuditLogs,
  getAuditHead,
  getAuditLog,
  getAuditStats,
  listAuditLogs,
  verifyAuditLog,
} from './routes/audit.ts';
import {
  getCanaryStats,
  listCanaryLeakages,
  purgeCanaries,
  testCanaryDetection,
  testCanaryInjection,
} from './routes/canaries.ts';
import { oauthProxyRoutes } from './oauth-proxy-routes.ts';
import { createApiKey, deleteApiKey, getApiKey, listApiKeys, revokeApiKey, updateApiKey } from './routes/api-keys.ts';
import { changePassword, login, logout, me, refreshToken, usersMe } from './routes/auth.ts';
import {
  getBreakdownReport,
  getGroupBudgetStatus,
  getOrganizationBreakdown,
  getOrganizationBudgetStatus,
  getOrganizationForecast,
  getProxyBudgetStatus,
  getSummaryReport,
  getUserBudgetStatus,
  getUserGroupBudgetStatus,
  resetAllBudgets,
  resetGroupBudget,
  resetOrganizationBudget,
  resetUserBudget,
  updateOrganizationBudget,
} from './routes/budgets.ts';
import { discoverProxies, getMcpConfig, getMcpProxyConfig } from './routes/mcp-discovery.ts';
import { discoverTools, getToolStats, listTools, switchTool, switchTools } from './routes/mcp-tools.ts';
import {
  approveToolChange,
  detectToolChanges,
  getToolBaseline,
  listToolChanges,
  rejectToolChange,
} from './routes/mcp-tool-changes.ts';
import {
  assignGuardrailProvider,
  checkGuardrailHealth,
  createGuardrailProvider,
  deleteGuardrailProvider,
  getGuardrailMetrics,
  getGuardrailProvider,
  listGuardrailAssignments,
  listGuardrailChecks,
  listGuardrailProviders,
  listGuardrailTypes,
  removeGuardrailAssignment,
  showGuardrailHealth,
  testGuardrailProvider,
  updateGuardrailAssignment,
  updateGuardrailProvider,
} from './routes/guardrail-providers.ts';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
  validatePolicy,
} from './routes/policies.ts';
import { getPolicyMetrics } from './routes/policy-metrics.ts';
import { analysePatterns, evaluatePolicy, testPolicy } from './routes/policy-tests.ts';
import {
  copyPolicy,
  exportPolicy,
  getPolicyVersion,
  listPolicyVersions,
  rollBackPolicy,
  togglePolicy,
} from './routes/policy-versions.ts';
import {
  getMetrics,
  getPoolHealth,
  getPoolStats,
  getSystemInfo,
  getSystemMetrics,
  getVersion,
} from './routes/metrics.ts';
import { signInRoutes } from './sign-in-routes.ts';
import {
  listDeadLetters,
  listIntegrations,
  retryDeadLetter,
  retryDeadLetters,
  testIntegration,
  testIntegrations,
} from './routes/integrations.ts';
import { createProxy, deleteProxy, getProxy, listProxies, suggestPort, updateProxy } from './routes/proxies.ts';
import {
  grantGroupProxy,
  grantProxyAccess,
  listGroupProxies,
  listProxiesOfGroup,
  listProxyAccess,
  revokeProxyAccess,
  setAccessPrompt,
  updateProxyAccess,
} from './routes/proxy-access.ts';
import { getProxyStatus, listProxyStatuses, restartProxy, startProxy, stopProxy } from './routes/proxy-lifecycle.ts';
import {
  addProxyPolicy,
  listProxyPolicies,
  putProxyPolicies,
  removeProxyPolicy,
  replaceProxyPolicies,
} from './routes/proxy-policies.ts';
import { getProxyStats, getProxyTokens, listProxyAlerts, listProxyLogs } from './routes/proxy-records.ts';
import { getRequest, listRequests } from './routes/requests.ts';
import {
  exportSettings,
  getEffectiveSettings,
  getSettings,
  getSettingsSchema,
  importSettings,
  resetSettings,
  updateSettings,
} from './routes/settings.ts';
import {
  getHealth,
  getOpenApi,
  getPrometheusMetrics,
  getReference,
  getReferenceScript,
  getReferenceStart,
  getReferenceStyle,
} from './routes/system.ts';
import {
  assignPromptToProxy,
  assignPromptToUserGroup,
  createSystemPrompt,
  deleteSystemPrompt,
  getSystemPrompt,
  listProxyPrompts,
  listSystemPrompts,
  removePromptAssignment,
  updateSystemPrompt,
} from './routes/system-prompts.ts';
import { getTeamMcpStats, getTeamTokens, getTeamUsage, listTeamUsage } from './routes/teams.ts';
import {
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  updateUserGroup,
} from './routes/user-groups.ts';
import { createUser, deleteUser, getUser, listUsers, resetPassword, updateUser } from './routes/users.ts';

/** What the management API answers. */
export const managementRoutes: readonly Route[] = [
  login,
  refreshToken,
  logout,
  changePassword,
  me,
  usersMe,
  ...signInRoutes,
  ...oauthProxyRoutes,
  listUsers,
  createUser,
  getUser,
  updateUser,
  deleteUser,
  resetPassword,

  listProxies,
  createProxy,
  suggestPort,
  getProxy,
  updateProxy,
  deleteProxy,
  listProxyStatuses,
  getProxyStatus,
  startProxy,
  stopProxy,
  restartProxy,
  listProxyPolicies,
  putProxyPolicies,
  replaceProxyPolicies,
  addProxyPolicy,
  removeProxyPolicy,
  listRequests,
  getRequest,
  listProxyLogs,
  getProxyStats,
  getProxyTokens,
  listProxyAlerts,

  listUserGroups,
  createUserGroup,
  getUserGroup,
  updateUserGroup,
  deleteUserGroup,
  listGroupMembers,
  addGroupMember,
  removeGroupMember,
  listGroupProxies,
  grantGroupProxy,
  listProxiesOfGroup,
  listProxyAccess,
  grantProxyAccess,
  updateProxyAccess,
  setAccessPrompt,
  revokeProxyAccess,

  listApiKeys,
  createApiKey,
  getApiKey,
  updateApiKey,
  revokeApiKey,
  deleteApiKey,

  listPolicies,
  createPolicy,
  validatePolicy,
  getPolicy,
  updatePolicy,
  deletePolicy,
  listPolicyVersions,
  getPolicyVersion,
  rollBackPolicy,
  togglePolicy,
  copyPolicy,
  exportPolicy,
  getPolicyMetrics,
  testPolicy,
  evaluatePolicy,
  analysePatterns,

  listTools,
  discoverTools,
  switchTool,
  switchTools,
  getToolStats,
  listToolChanges,
  getToolBaseline,
  detectToolChanges,
  approveToolChange,
  rejectToolChange,
  discoverProxies,
  getMcpConfig,
  getMcpProxyConfig,

  listTeamUsage,
  getTeamUsage,
  getTeamTokens,
  getTeamMcpStats,

  getGroupBudgetStatus,
  resetGroupBudget,
  getOrganizationBudgetStatus,
  updateOrganizationBudget,
  getUserGroupBudgetStatus,
  getUserBudgetStatus,
  getProxyBudgetStatus,
  getOrganizationBreakdown,
  getOrganizationForecast,
  resetOrganizationBudget,
  resetUserBudget,
  resetAllBudgets,
  getSummaryReport,
  getBreakdownReport,

  listSystemPrompts,
  createSystemPrompt,
  getSystemPrompt,
  updateSystemPrompt,
  deleteSystemPrompt,
  assignPromptToProxy,
  assignPromptToUserGroup,
  removePromptAssignment,
  listProxyPrompts,

  listGuardrailProviders,
  createGuardrailProvider,
  listGuardrailTypes,
  listGuardrailAssignments,
  listGuardrailChecks,
  getGuardrailMetrics,
  getGuardrailProvider,
  updateGuardrailProvider,
  deleteGuardrailProvider,
  showGuardrailHealth,
  checkGuardrailHealth,
  testGuardrailProvider,
  assignGuardrailProvider,
  updateGuardrailAssignment,
  removeGuardrailAssignment,
  ...evaluationRoutes,

  ...alertRoutes,

  listAuditLogs,
  getAuditLog,
  exportAuditLogs,
  getAuditStats,
  verifyAuditLog,
  getAuditHead,

  getCanaryStats,
  listCanaryLeakages,
  testCanaryInjection,
  testCanaryDetection,
  purgeCanaries,

  getSettings,
  updateSettings,
  getSettingsSchema,
  getEffectiveSettings,
  resetSettings,
  exportSettings,
  importSettings,

  getHealth,
  getPrometheusMetrics,
  getMetrics,
  getSystemMetrics,
  getSystemInfo,
  getVersion,
  getPoolHealth,
  getPoolStats,
  getOpenApi,
  getReference,
  getReferenceScript,
  getReferenceStart,
  getReferenceStyle,
];

/** What the hub for agents answers. */
export const agentRoutes: readonly Route[] = [
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  listAgentAccess,
  grantAgentAccess,
  updateAgentAccess,
  revokeAgentAccess,
  listAgentLogs,
  getAgentLog,
  getGatewayCard,
  getCardKeys,
  getServedCard,
  getServedLegacyCard,
  listSigningKeys,
  rotateSigningKey,
  listCardChanges,
  detectCardChanges,
  approveCardChange,
  rejectCardChange,
];

/** Calls of agents, which the hub serves from the stages of its pipeline. */
export const agentCallRoutes: readonly Route[] = [invokeAgent, listAgentTasks, getAgentTask, cancelAgentTask];

/** What the notifier answers. */
export const integrationRoutes: readonly Route[] = [
  listIntegrations,
  testIntegrations,
  testIntegration,
  listDeadLetters,
  retryDeadLetter,
  retryDeadLetters,
];

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

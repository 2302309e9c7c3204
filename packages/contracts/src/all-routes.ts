import type { Route } from './route.ts';
import { addGroupMember, listGroupMembers, removeGroupMember } from './routes/group-members.ts';
import {
  bulkAcknowledgeAlerts,
  bulkResolveAlerts,
  deleteAlert,
  deleteOldAlerts,
  exportAlerts,
  getAlert,
  getAlertStats,
  listAlerts,
  setAlertStatus,
} from './routes/alerts.ts';
import { exportAuditLogs, getAuditLog, getAuditStats, listAuditLogs, verifyAuditLog } from './routes/audit.ts';
import { createApiKey, deleteApiKey, getApiKey, listApiKeys, revokeApiKey, updateApiKey } from './routes/api-keys.ts';
import { changePassword, login, logout, me, refreshToken, usersMe } from './routes/auth.ts';
import {
  getGroupBudgetStatus,
  getOrganizationBreakdown,
  getOrganizationBudgetStatus,
  getOrganizationForecast,
  getProxyBudgetStatus,
  getUserBudgetStatus,
  getUserGroupBudgetStatus,
  resetAllBudgets,
  resetGroupBudget,
  resetOrganizationBudget,
  resetUserBudget,
  updateOrganizationBudget,
} from './routes/budgets.ts';
import { getToolStats, listTools, switchTool, switchTools } from './routes/mcp-tools.ts';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
  validatePolicy,
} from './routes/policies.ts';
import { analysePatterns, testPolicy } from './routes/policy-tests.ts';
import {
  copyPolicy,
  exportPolicy,
  getPolicyVersion,
  listPolicyVersions,
  rollBackPolicy,
  togglePolicy,
} from './routes/policy-versions.ts';
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
import { addProxyPolicy, listProxyPolicies, removeProxyPolicy, replaceProxyPolicies } from './routes/proxy-policies.ts';
import { getProxyStats, getProxyTokens, listProxyAlerts, listProxyLogs } from './routes/proxy-records.ts';
import {
  exportSettings,
  getEffectiveSettings,
  getSettings,
  getSettingsSchema,
  importSettings,
  resetSettings,
  testChatWebhook,
  updateSettings,
} from './routes/settings.ts';
import {
  getHealth,
  getOpenApi,
  getPrometheusMetrics,
  getReference,
  listDeadLetters,
  retryDeadLetter,
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
import { getTeamTokens, getTeamUsage, listTeamUsage } from './routes/teams.ts';
import {
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  updateUserGroup,
} from './routes/user-groups.ts';
import { createUser, deleteUser, getUser, listUsers, resetPassword, updateUser } from './routes/users.ts';

/** Every route of the management API, in the order of the reference page. */
export const allRoutes: readonly Route[] = [
  login,
  refreshToken,
  logout,
  changePassword,
  me,
  usersMe,
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
  replaceProxyPolicies,
  addProxyPolicy,
  removeProxyPolicy,
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
  testPolicy,
  analysePatterns,

  listTools,
  switchTool,
  switchTools,
  getToolStats,

  listTeamUsage,
  getTeamUsage,
  getTeamTokens,

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

  listSystemPrompts,
  createSystemPrompt,
  getSystemPrompt,
  updateSystemPrompt,
  deleteSystemPrompt,
  assignPromptToProxy,
  assignPromptToUserGroup,
  removePromptAssignment,
  listProxyPrompts,

  listAlerts,
  getAlertStats,
  exportAlerts,
  getAlert,
  setAlertStatus,
  bulkAcknowledgeAlerts,
  bulkResolveAlerts,
  deleteAlert,
  deleteOldAlerts,

  listAuditLogs,
  getAuditLog,
  exportAuditLogs,
  getAuditStats,
  verifyAuditLog,

  getSettings,
  updateSettings,
  getSettingsSchema,
  getEffectiveSettings,
  resetSettings,
  exportSettings,
  importSettings,
  testChatWebhook,
  listDeadLetters,
  retryDeadLetter,

  getHealth,
  getPrometheusMetrics,
  getOpenApi,
  getReference,
];

import type { Route } from './route.ts';
import {
  getOAuthAccessAnalytics,
  getOAuthGroupAnalytics,
  getOAuthProviderAnalytics,
  getOAuthRuleAnalytics,
  getOAuthTimeline,
  getOAuthUserAnalytics,
} from './routes/oauth-analytics.ts';
import { getProxySignIn, listProxyUsers, tryProxyUser } from './routes/proxy-users.ts';
import {
  beginOAuthLogin,
  beginOAuthLoginWith,
  endSession,
  finishOAuthLogin,
  getOAuthHealth,
  openOAuthLogin,
  refreshSession,
  validateSession,
} from './routes/oauth-login.ts';
import {
  createOAuthProvider,
  deleteOAuthProvider,
  discoverOAuthProvider,
  getOAuthProvider,
  getOAuthTemplateDocs,
  listOAuthProviders,
  listOAuthTemplates,
  testOAuthProvider,
  updateOAuthProvider,
} from './routes/oauth-providers.ts';
import {
  activateOAuthRule,
  createOAuthRule,
  createOAuthRules,
  deactivateOAuthRule,
  deleteOAuthRule,
  getOAuthRule,
  getOAuthRuleStats,
  listOAuthRules,
  setOAuthRulePriority,
  updateOAuthRule,
} from './routes/oauth-rules.ts';
import {
  activateOAuthUser,
  deactivateOAuthUser,
  getOAuthUser,
  getOAuthUserByIdentity,
  getOAuthUserStats,
  groupOAuthUsers,
  listOAuthUsers,
  listSessionsOfOAuthUser,
  updateOAuthUser,
} from './routes/oauth-users.ts';
import {
  cleanUpSessions,
  getSessionStats,
  listOAuthSessions,
  listProviderSessions,
  listUserSessions,
  revokeOAuthSession,
} from './routes/oauth-sessions.ts';
import { finishSignIn, listSignInProviders, startSignIn } from './routes/sign-in.ts';

/** Signing in with an identity provider, and what admins say about it. */
export const signInRoutes: readonly Route[] = [
  listSignInProviders,
  startSignIn,
  finishSignIn,

  beginOAuthLogin,
  beginOAuthLoginWith,
  openOAuthLogin,
  finishOAuthLogin,
  validateSession,
  refreshSession,
  endSession,
  getOAuthHealth,

  listOAuthProviders,
  createOAuthProvider,
  getOAuthProvider,
  updateOAuthProvider,
  deleteOAuthProvider,
  listOAuthTemplates,
  getOAuthTemplateDocs,
  discoverOAuthProvider,
  testOAuthProvider,

  listOAuthRules,
  createOAuthRule,
  getOAuthRule,
  updateOAuthRule,
  deleteOAuthRule,
  setOAuthRulePriority,
  activateOAuthRule,
  deactivateOAuthRule,
  createOAuthRules,
  getOAuthRuleStats,

  listOAuthUsers,
  getOAuthUserStats,
  getOAuthUser,
  getOAuthUserByIdentity,
  listSessionsOfOAuthUser,
  updateOAuthUser,
  deactivateOAuthUser,
  activateOAuthUser,
  groupOAuthUsers,

  listOAuthSessions,
  listProviderSessions,
  listUserSessions,
  getSessionStats,
  revokeOAuthSession,
  cleanUpSessions,

  getOAuthUserAnalytics,
  getOAuthAccessAnalytics,
  getProxySignIn,
  listProxyUsers,
  tryProxyUser,
  getOAuthRuleAnalytics,
  getOAuthProviderAnalytics,
  getOAuthGroupAnalytics,
  getOAuthTimeline,
];

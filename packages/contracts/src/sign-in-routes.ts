import type { Route } from './route.ts';
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
  createOAuthRule,
  deleteOAuthRule,
  getOAuthRule,
  listOAuthRules,
  updateOAuthRule,
} from './routes/oauth-rules.ts';
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

  listOAuthSessions,
  listProviderSessions,
  listUserSessions,
  getSessionStats,
  revokeOAuthSession,
  cleanUpSessions,
];

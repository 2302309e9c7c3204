import type { Route } from './route.ts';
import {
  createOAuthProvider,
  deleteOAuthProvider,
  getOAuthProvider,
  listOAuthProviders,
  updateOAuthProvider,
} from './routes/oauth-providers.ts';
import { finishSignIn, listSignInProviders, startSignIn } from './routes/sign-in.ts';

/** Signing in with an identity provider, and what admins say about it. */
export const signInRoutes: readonly Route[] = [
  listSignInProviders,
  startSignIn,
  finishSignIn,

  listOAuthProviders,
  createOAuthProvider,
  getOAuthProvider,
  updateOAuthProvider,
  deleteOAuthProvider,
];

import { Type } from 'typebox';
import { Exact, Nullable, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { LoginAnswer } from './auth.ts';

export const routes = createRouteList('Authentication');

const ByProvider = Exact({ provider: Type.String({ minLength: 1, maxLength: 50 }) });

export const listSignInProviders = routes.define({
  method: 'GET',
  path: '/auth/oauth/providers',
  role: 'public',
  summary: 'List the providers with which users can sign in',
  parts: { response: Exact({ providers: Type.Array(Type.String()) }) },
  errors: ['service_unavailable'],
});

export const startSignIn = routes.define({
  method: 'GET',
  path: '/auth/oauth/login/:provider',
  role: 'public',
  summary: 'Send the browser to a provider to sign in; it comes back to the callback within ten minutes',
  status: 302,
  contentType: 'text/plain',
  parts: {
    params: ByProvider,
    query: Exact(
      optional({
        return_to: Type.String({
          maxLength: 2_000,
          description:
            'Path on this gateway that the callback answers back, or with session=cookie sends the browser to; then /console/ unless given',
        }),
        session: Type.Enum(['token', 'cookie'], {
          description:
            'What the callback gives: a token in its answer, or a cookie to the browser, which goes on to return_to',
        }),
      }),
    ),
  },
  errors: ['not_found', 'too_many_requests', 'provider_failed', 'service_unavailable'],
});

export const finishSignIn = routes.define({
  method: 'GET',
  path: '/auth/oauth/callback/:provider',
  role: 'public',
  summary: 'Sign in the user whose e-mail address the provider has verified; the provider sends the browser here',
  parts: {
    params: ByProvider,
    // Providers add what they like, which is not read here.
    query: Type.Object(
      optional({
        code: Type.String({ maxLength: 8_192 }),
        state: Type.String({ maxLength: 512 }),
        iss: Type.String({ maxLength: 2_000 }),
        error: Type.String({ maxLength: 200 }),
        format: Type.String({ maxLength: 20, description: 'json: no page, also for a browser' }),
      }),
    ),
    response: Exact({
      ...LoginAnswer,
      session_token: Type.String({ description: 'The token once more. Proxies take it in X-Session-Token' }),
      jwt_id: Type.String(),
      user_identity: Type.String(),
      user_email: Type.String(),
      user_name: Type.String(),
      return_to: Nullable(Type.String()),
    }),
  },
  page: true,
  redirects: true,
  errors: [
    'not_found',
    'invalid_state',
    'sign_in_denied',
    'invalid_credentials',
    'email_unverified',
    'unknown_sign_in_user',
    'too_many_requests',
    'provider_failed',
    'service_unavailable',
  ],
  audit: ['auth.login', 'auth.login.failed', 'user.created', 'usergroup.member.added'],
});

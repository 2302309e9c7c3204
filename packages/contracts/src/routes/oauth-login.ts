import { Type } from 'typebox';
import { Count, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { finishSignIn } from './sign-in.ts';

export const routes = createRouteList('Authentication');

const ReturnTo = Type.String({
  maxLength: 2_000,
  description: 'Path on this gateway that the callback answers back, or the callback itself',
});

const Begun = Exact({
  auth_url: Type.String({ description: 'For the browser in which the user signs in; good for ten minutes' }),
  authorization_url: Type.String({ description: 'The same' }),
  state: Type.String({
    description: 'What the address carries; the state towards the provider is made when it is opened',
  }),
});

const refusals = ['not_found', 'too_many_requests', 'service_unavailable'] as const;

export const beginOAuthLogin = routes.define({
  method: 'POST',
  path: '/oauth/authorize',
  role: 'public',
  summary: 'Make an address with which a browser signs in',
  parts: {
    body: Exact({
      provider_id: Id,
      ...optional({
        redirect_uri: ReturnTo,
        user_group_id: Type.Integer({
          ...Id,
          description: 'Not looked at: the rules say to which groups a user belongs',
        }),
      }),
    }),
    response: Begun,
  },
  errors: refusals,
  audit: { none: 'nothing has begun until the address is opened' },
});

export const beginOAuthLoginWith = routes.define({
  method: 'POST',
  path: '/oauth/authorize/:provider_id',
  role: 'public',
  summary: 'Make an address with which a browser signs in with this provider',
  parts: {
    params: Exact({ provider_id: Id }),
    body: Exact(optional({ redirect_uri: ReturnTo })),
    response: Begun,
  },
  bodyOptional: true,
  errors: refusals,
  audit: { none: 'nothing has begun until the address is opened' },
});

export const openOAuthLogin = routes.define({
  method: 'GET',
  path: '/oauth/start',
  role: 'public',
  summary: 'Send the browser to the provider for which the address was made',
  status: 302,
  contentType: 'text/plain',
  parts: { query: Exact({ state: Type.String({ minLength: 1, maxLength: 8_192 }) }) },
  errors: ['invalid_state', 'too_many_requests', 'provider_failed', 'service_unavailable'],
});

/** For providers that are registered with the one callback. */
export const finishOAuthLogin = routes.define({
  ...finishSignIn,
  path: '/oauth/callback',
  parts: { query: finishSignIn.parts.query, response: finishSignIn.parts.response },
});

const WithToken = Exact({ session_token: Type.String({ minLength: 1, maxLength: 8_192 }) });

export const validateSession = routes.define({
  method: 'POST',
  path: '/oauth/validate',
  role: 'public',
  summary: 'Validate a session token, and show whose it is',
  parts: {
    body: WithToken,
    response: Exact({
      valid: Type.Boolean(),
      user_identity: Nullable(Type.String()),
      user_email: Nullable(Type.String()),
      user_name: Nullable(Type.String()),
      expires_at: Nullable(Timestamp),
    }),
  },
  errors: ['too_many_requests', 'service_unavailable'],
  audit: { none: 'it changes nothing' },
});

export const refreshSession = routes.define({
  method: 'POST',
  path: '/oauth/refresh',
  role: 'public',
  summary: 'Exchange a session token, which may have expired, for a fresh one; each token once',
  parts: {
    body: WithToken,
    response: Exact({ session_token: Type.String(), expires_at: Timestamp }),
  },
  errors: ['invalid_token', 'too_many_requests', 'service_unavailable'],
  audit: ['auth.token.refresh', 'security.suspicious.activity'],
});

export const endSession = routes.define({
  method: 'POST',
  path: '/oauth/logout',
  role: 'public',
  summary: 'End the session of a token, on every connection and every proxy',
  parts: { body: WithToken },
  errors: ['invalid_token', 'too_many_requests', 'service_unavailable'],
  audit: 'auth.logout',
});

export const getOAuthHealth = routes.define({
  method: 'GET',
  path: '/oauth/health',
  role: 'public',
  summary: 'Report whether users can sign in with a provider',
  parts: { response: Exact({ status: Type.Enum(['ready', 'unconfigured']), providers: Count }) },
  errors: ['too_many_requests', 'service_unavailable'],
});

import { Type, type Static } from 'typebox';
import { ById, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('OAuth proxy');
const refusals = ['not_found', 'too_many_requests', 'service_unavailable'] as const;

const Text = (maxLength: number) => Type.String({ maxLength });
/** What clients add is not read: the standards let them. */
const json = 'application/json';

export const getAuthorizationServer = routes.define({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  absolute: true,
  role: 'public',
  summary: 'Describe the authorization server of a proxy, as its own port does (RFC 8414)',
  contentType: json,
  oauth: true,
  parts: { query: Exact({ proxy_id: Id }) },
  errors: refusals,
});

export const registerOAuthClient = routes.define({
  method: 'POST',
  path: '/oauth-proxy/:id/register',
  role: 'public',
  summary: 'Register a client of the OAuth proxy (RFC 7591); what it is called is nothing that anyone has checked',
  status: 201,
  contentType: json,
  oauth: true,
  parts: {
    params: ById,
    body: Type.Object({
      redirect_uris: Type.Array(Text(2_048), { minItems: 1, maxItems: 20 }),
      ...optional({
        client_name: Text(200),
        client_uri: Text(2_048),
        token_endpoint_auth_method: Text(100),
        grant_types: Type.Array(Text(200), { maxItems: 20 }),
        response_types: Type.Array(Text(200), { maxItems: 20 }),
        scope: Text(4_096),
      }),
    }),
  },
  errors: refusals,
  audit: 'oauth.client.registered',
});

const AuthorizationQuery = Type.Object(
  optional({
    response_type: Text(100),
    client_id: Text(2_048),
    redirect_uri: Text(2_048),
    state: Text(4_096),
    scope: Text(4_096),
    resource: Text(2_048),
    code_challenge: Text(256),
    code_challenge_method: Text(100),
    request: Text(8_192),
    request_uri: Text(2_048),
  }),
);
export type AuthorizationQuery = Static<typeof AuthorizationQuery>;

export const beginAuthorization = routes.define({
  method: 'GET',
  path: '/oauth-proxy/:id/authorize',
  role: 'public',
  summary: 'Ask the user whether a client may act for them; PKCE with S256 is required',
  status: 302,
  contentType: 'text/html',
  parts: { params: ById, query: AuthorizationQuery },
  errors: [...refusals, 'provider_failed'],
  audit: ['oauth.authorization.started', 'oauth.authorization.denied'],
});

export const decideAuthorization = routes.define({
  method: 'POST',
  path: '/oauth-proxy/:id/consent',
  role: 'public',
  summary: 'Take the decision of the user from the page that asked for it, and send them to the provider',
  status: 303,
  contentType: 'text/html',
  form: true,
  parts: { params: ById, body: Exact({ ticket: Text(16_384), decision: Type.Enum(['allow', 'deny']) }) },
  errors: [...refusals, 'invalid_state', 'provider_failed'],
  audit: ['oauth.authorization.started', 'oauth.authorization.denied'],
});

export const finishAuthorization = routes.define({
  method: 'GET',
  path: '/oauth-proxy/callback/:provider_id',
  role: 'public',
  summary: 'Take the user back from the provider, and send them to the client with a code',
  status: 302,
  contentType: 'text/html',
  parts: {
    params: Exact({ provider_id: Id }),
    // Providers add what they like, which is not read here.
    query: Type.Object(optional({ code: Text(8_192), state: Text(512), iss: Text(2_000), error: Text(200) })),
  },
  errors: [...refusals, 'invalid_state', 'provider_failed'],
  audit: ['oauth.code.issued', 'oauth.authorization.denied', 'user.created', 'usergroup.member.added'],
});

const ClientFields = optional({ client_id: Text(2_048), client_secret: Text(512) });

export const exchangeOAuthToken = routes.define({
  method: 'POST',
  path: '/oauth-proxy/:id/token',
  role: 'public',
  summary: 'Exchange a code with its PKCE secret, or a refresh token, for an access token; each once',
  contentType: json,
  oauth: true,
  form: true,
  parts: {
    params: ById,
    body: Type.Object({
      grant_type: Text(200),
      ...ClientFields,
      ...optional({
        code: Text(512),
        code_verifier: Text(256),
        redirect_uri: Text(2_048),
        refresh_token: Text(512),
        resource: Text(2_048),
        scope: Text(4_096),
      }),
    }),
  },
  errors: [...refusals, 'invalid_credentials'],
  audit: ['oauth.token.issued', 'oauth.token.refreshed', 'oauth.grant.revoked', 'security.suspicious.activity'],
});

export const revokeOAuthToken = routes.define({
  method: 'POST',
  path: '/oauth-proxy/:id/revoke',
  role: 'public',
  summary: 'End what a user granted, by a token of it (RFC 7009)',
  contentType: json,
  oauth: true,
  form: true,
  parts: {
    params: ById,
    body: Type.Object({ token: Text(8_192), ...ClientFields, ...optional({ token_type_hint: Text(100) }) }),
  },
  errors: [...refusals, 'invalid_credentials'],
  audit: 'oauth.grant.revoked',
});

const Client = Exact({
  id: Id,
  client_id: Type.String(),
  kind: Type.Enum(['registered', 'document']),
  name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  auth_method: Type.String(),
  created_at: Timestamp,
  used_at: Nullable(Timestamp),
});

export const listOAuthClients = routes.define({
  method: 'GET',
  path: '/oauth-proxy/:id/clients',
  role: 'admin',
  summary: 'List the clients of the OAuth proxy, the newest first; 500 at most',
  parts: { params: ById, response: Exact({ clients: Type.Array(Client) }) },
  errors: ['not_found'],
});

export const deleteOAuthClient = routes.define({
  method: 'DELETE',
  path: '/oauth-proxy/:id/clients/:client',
  role: 'admin',
  summary: 'Delete a client with all that users granted it',
  parts: { params: Exact({ id: Id, client: Id }) },
  errors: ['not_found'],
  audit: 'oauth.client.deleted',
});

const Grant = Exact({
  id: Id,
  client_id: Type.String(),
  client_name: Type.String(),
  user_id: Id,
  username: Type.String(),
  scope: Type.String(),
  created_at: Timestamp,
  refreshed_at: Timestamp,
  expires_at: Timestamp,
});

export const listOAuthGrants = routes.define({
  method: 'GET',
  path: '/oauth-proxy/:id/grants',
  role: 'admin',
  summary: 'List what users granted clients, the newest first; 500 at most',
  parts: { params: ById, response: Exact({ grants: Type.Array(Grant) }) },
  errors: ['not_found'],
});

export const deleteOAuthGrant = routes.define({
  method: 'DELETE',
  path: '/oauth-proxy/:id/grants/:grant',
  role: 'admin',
  summary: 'End what a user granted a client: its tokens count no more',
  parts: { params: Exact({ id: Id, grant: Id }) },
  errors: ['not_found'],
  audit: 'oauth.grant.revoked',
});

export const rotateOAuthKey = routes.define({
  method: 'POST',
  path: '/oauth-proxy/keys/rotate',
  role: 'admin',
  summary: 'Sign access tokens with a new key from now on; those of the old one count until they end',
  parts: { response: Exact({ kid: Type.String() }) },
  audit: 'oauth.signing_key.rotated',
});

import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { oauthProviderTypes } from '../oauth-provider-types.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('OAuth providers');

const ProviderType = Type.Enum(oauthProviderTypes);

/** Stands in an address, and is told from an id by its first letter. */
const ProviderName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[A-Za-z](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$',
  'x-allowed': 'letters, digits, blanks and . _ -, beginning with a letter',
});

const Url = Type.String({ minLength: 1, maxLength: 2_000 });

const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' }), {
  maxItems: 30,
  description: 'What is asked for; those of the template unless given',
});

const addresses = {
  issuer: Type.String({
    ...Url,
    description:
      'OpenID Connect issuer, from which the addresses are discovered; for GitHub its address. That of the template unless given',
  }),
  auth_url: Type.String({ ...Url, description: 'Of plain OAuth 2, in place of issuer' }),
  token_url: Type.String({ ...Url, description: 'Of plain OAuth 2, in place of issuer' }),
  userinfo_url: Type.String({
    ...Url,
    description: 'Of plain OAuth 2, in place of issuer: answers sub or id, email and email_verified',
  }),
  jwks_url: Type.String({
    ...Url,
    description:
      'Beside the three addresses: the keys that sign the id tokens of the provider, which are then checked. Without it they are not read',
  }),
};

const RedirectUri = Type.String({
  ...Url,
  description:
    'Where the provider sends browsers back to: /api/v1/auth/oauth/callback/{name} of the gateway unless given, or its /api/v1/oauth/callback',
});

const options = {
  scopes: Scopes,
  tenants: Type.Array(
    Type.String({ pattern: '^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$', 'x-allowed': 'a tenant id' }),
    {
      maxItems: 200,
      description: 'Entra tenants whose users may sign in, where the issuer is that of many',
    },
  ),
  trusts_email: Type.Boolean({
    default: false,
    description:
      'Takes the addresses of the provider for verified though it does not say so. Only for a provider whose users cannot choose their own',
  }),
  links_management_users: Type.Boolean({
    default: false,
    description:
      'Whether an address that the provider verified signs in as the viewer, operator or admin who has it. Only for a provider that you trust as much as a password',
  }),
  sign_in: Type.Boolean({ default: true, description: 'Whether users sign in to the gateway with it' }),
  enabled: Type.Boolean({ default: true }),
};

const ClientId = Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x20-\\x7E]+$' });
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description: 'Never shown. A client without one is a public client',
});

export const OAuthProvider = Exact(
  {
    id: Id,
    name: Type.String(),
    provider_type: ProviderType,
    client_id: ClientId,
    has_client_secret: Type.Boolean(),
    issuer: Nullable(Type.String()),
    auth_url: Nullable(Type.String()),
    token_url: Nullable(Type.String()),
    userinfo_url: Nullable(Type.String()),
    jwks_url: Nullable(Type.String()),
    redirect_uri: Nullable(
      Type.String({
        description: 'To be registered at the provider; null while the gateway does not know its address',
      }),
    ),
    ...options,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'OAuthProvider' },
);
export type OAuthProvider = Static<typeof OAuthProvider>;

export const OAuthProviderCreation = Exact({
  name: ProviderName,
  provider_type: Type.Enum([...oauthProviderTypes, 'generic'], { description: 'generic is another word for custom' }),
  client_id: ClientId,
  ...optional({
    client_secret: ClientSecret,
    use_template: Type.Boolean({
      default: true,
      description: 'Without the template, the issuer or the three addresses of plain OAuth 2 must be given',
    }),
    ...addresses,
    redirect_uri: RedirectUri,
    ...options,
  }),
});
export type OAuthProviderCreation = Static<typeof OAuthProviderCreation>;

export const OAuthProviderChange = Exact(
  optional({
    name: ProviderName,
    client_id: ClientId,
    client_secret: Type.Unsafe<string | null>({ ...Nullable(ClientSecret), description: 'null removes it' }),
    ...addresses,
    jwks_url: Nullable(addresses.jwks_url),
    redirect_uri: Nullable(RedirectUri),
    ...options,
  }),
);
export type OAuthProviderChange = Static<typeof OAuthProviderChange>;

export const listOAuthProviders = routes.define({
  method: 'GET',
  path: '/oauth/providers',
  role: 'viewer',
  summary: 'List the identity providers, without their secrets',
  parts: {
    query: Exact({ ...optional({ provider_type: ProviderType, enabled: Type.Boolean() }), ...page(50) }),
    response: Exact({ providers: Type.Array(OAuthProvider), total: Count, limit: Count, offset: Count }),
  },
});

export const createOAuthProvider = routes.define({
  method: 'POST',
  path: '/oauth/providers',
  role: 'admin',
  summary: 'Add an identity provider',
  status: 201,
  parts: { body: OAuthProviderCreation, response: OAuthProvider },
  errors: ['conflict', 'target_refused'],
  audit: 'oauth.provider.created',
});

export const getOAuthProvider = routes.define({
  method: 'GET',
  path: '/oauth/providers/:id',
  role: 'viewer',
  summary: 'Show an identity provider, without its secret',
  parts: { params: ById, response: OAuthProvider },
  errors: ['not_found'],
});

export const updateOAuthProvider = routes.define({
  method: 'PUT',
  path: '/oauth/providers/:id',
  role: 'admin',
  summary: 'Change fields of an identity provider; one that moves to another host needs its client secret again',
  parts: { params: ById, body: OAuthProviderChange, response: OAuthProvider },
  errors: ['not_found', 'conflict', 'target_refused'],
  audit: 'oauth.provider.updated',
});

export const deleteOAuthProvider = routes.define({
  method: 'DELETE',
  path: '/oauth/providers/:id',
  role: 'admin',
  summary: 'Remove an identity provider and end every session that began with it',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'oauth.provider.deleted',
});

const Template = Exact(
  {
    name: Type.String(),
    provider_type: ProviderType,
    description: Type.String(),
    default_scopes: Type.Array(Type.String()),
    issuer: Nullable(Type.String({ description: 'null: each customer has their own' })),
    issuer_example: Type.String(),
  },
  { title: 'OAuthProviderTemplate' },
);

export const listOAuthTemplates = routes.define({
  method: 'GET',
  path: '/oauth/providers/templates',
  role: 'viewer',
  summary: 'List the templates of identity provider types',
  parts: { response: Type.Array(Template) },
});

export const getOAuthTemplateDocs = routes.define({
  method: 'GET',
  path: '/oauth/providers/templates/:type/docs',
  role: 'viewer',
  summary: 'Explain how to register the gateway at a type of identity provider',
  parts: {
    params: Exact({ type: ProviderType }),
    response: Exact({
      provider_type: ProviderType,
      documentation: Type.String(),
      required_scopes: Type.Array(Type.String()),
      callback_url: Nullable(
        Type.String({
          description: 'For a provider named as its type; null while the gateway does not know its address',
        }),
      ),
    }),
  },
});

const ServerMetadata = {
  issuer: Type.String(),
  auth_url: Nullable(Type.String()),
  token_url: Nullable(Type.String()),
  userinfo_url: Nullable(Type.String()),
  jwks_url: Nullable(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  supports_pkce: Type.Boolean({ description: 'Whether it says that it takes PKCE with S256' }),
};

export const discoverOAuthProvider = routes.define({
  method: 'POST',
  path: '/oauth/providers/discover',
  role: 'admin',
  summary: 'Read the discovery document of an OpenID Connect issuer',
  parts: {
    body: Exact({ issuer: Url, ...optional({ provider_type: ProviderType }) }),
    response: Exact(ServerMetadata),
  },
  errors: ['provider_failed', 'target_refused'],
  audit: { none: 'it changes nothing' },
});

export const testOAuthProvider = routes.define({
  method: 'POST',
  path: '/oauth/providers/:id/test',
  role: 'admin',
  summary: 'Test an identity provider: its metadata, and whether it accepts the client and its secret',
  parts: {
    params: ById,
    response: Exact({
      success: Type.Boolean(),
      message: Type.String({ description: 'What is wrong first, or that all is well' }),
      checks: Type.Array(
        Exact({
          name: Type.Enum(['metadata', 'keys', 'pkce', 'credentials']),
          status: Type.Enum(['passed', 'failed', 'unknown']),
          message: Type.String(),
        }),
      ),
    }),
  },
  errors: ['not_found'],
  audit: 'oauth.provider.tested',
});

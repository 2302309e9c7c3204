/** What the gateway knows of a kind of identity provider before an admin says anything. */
export interface OAuthProviderTemplate {
  readonly label: string;
  readonly description: string;
  /** Of those that have one for all. For GitHub its address, since it has no issuer of sign-ins. */
  readonly issuer?: string;
  /** How the issuer of one customer looks. */
  readonly issuerExample: string;
  readonly scopes: readonly string[];
  /** How to register the gateway there. */
  readonly documentation: string;
}

const openId = ['openid', 'email', 'profile'] as const;

export const oauthProviderTemplates = {
  github: {
    label: 'GitHub',
    description: 'OAuth 2 without OpenID Connect: the addresses of a user come from the API',
    issuer: 'https://github.com',
    issuerExample: 'https://github.example.com',
    scopes: ['read:user', 'user:email'],
    documentation:
      'Settings, Developer settings, OAuth Apps, New OAuth App. The authorization callback URL is the callback_url of this answer. For a GitHub Enterprise Server, issuer is its address.',
  },
  google: {
    label: 'Google',
    description: 'OpenID Connect for Google accounts and Workspace',
    issuer: 'https://accounts.google.com',
    issuerExample: 'https://accounts.google.com',
    scopes: openId,
    documentation:
      'Google Cloud console, APIs and services, Credentials, Create OAuth client ID, Web application. Add the callback_url of this answer to the authorized redirect URIs.',
  },
  okta: {
    label: 'Okta',
    description: 'OpenID Connect of an Okta organization or of one of its authorization servers',
    issuerExample: 'https://example.okta.com/oauth2/default',
    scopes: openId,
    documentation:
      'Applications, Create App Integration, OIDC, Web Application, Authorization Code. Add the callback_url of this answer to the sign-in redirect URIs. Okta says of no address that it is verified unless its user has verified it: trusts_email takes the word of your organization.',
  },
  azure_ad: {
    label: 'Microsoft Entra ID',
    description: 'OpenID Connect of an Entra tenant, formerly Azure AD',
    issuerExample: 'https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0',
    scopes: openId,
    documentation:
      'App registrations, New registration, Web, with the callback_url of this answer as redirect URI; then a client secret. Take the tenant id for the issuer. With common or organizations in its place, tenants says whose users may come. Add the optional claims email and xms_edov to the id token; or let trusts_email take the word of your own tenant.',
  },
  auth0: {
    label: 'Auth0',
    description: 'OpenID Connect of an Auth0 tenant',
    issuerExample: 'https://example.eu.auth0.com/',
    scopes: openId,
    documentation:
      'Applications, Create Application, Regular Web Application. Add the callback_url of this answer to the allowed callback URLs. The issuer ends with a slash.',
  },
  keycloak: {
    label: 'Keycloak',
    description: 'OpenID Connect of a Keycloak realm',
    issuerExample: 'https://keycloak.example.com/realms/example',
    scopes: openId,
    documentation:
      'In the realm: Clients, Create client, OpenID Connect, Client authentication on, Standard flow. Add the callback_url of this answer to the valid redirect URIs. Before version 17 the realm was under /auth/realms.',
  },
  gitlab: {
    label: 'GitLab',
    description: 'OpenID Connect of gitlab.com or of a GitLab of your own',
    issuer: 'https://gitlab.com',
    issuerExample: 'https://gitlab.example.com',
    scopes: openId,
    documentation:
      'Preferences, Applications, Add new application, confidential, with the scopes openid, email and profile. The redirect URI is the callback_url of this answer.',
  },
  custom: {
    label: 'Custom',
    description: 'Another provider: by its OpenID Connect issuer, or by three addresses of plain OAuth 2',
    issuerExample: 'https://login.example.com',
    scopes: openId,
    documentation:
      'Register the gateway as a confidential client with the authorization code grant, PKCE S256 and the callback_url of this answer. With OpenID Connect give issuer; else auth_url, token_url and userinfo_url.',
  },
} as const satisfies Readonly<Record<string, OAuthProviderTemplate>>;

export type OAuthProviderType = keyof typeof oauthProviderTemplates;

export const oauthProviderTypes = Object.keys(oauthProviderTemplates) as readonly OAuthProviderType[];

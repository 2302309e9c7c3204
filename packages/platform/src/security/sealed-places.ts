/** Where a secret is stored: its encryption context, and the one under which older versions sealed it. */
export type SealedPlace = readonly [context: string, formerContext?: string];

/** A row's secret is nothing in another row. */
export const targetAuthPlace = (proxyId: number): SealedPlace => [
  `proxies.target_auth:${proxyId}`,
  'proxies.target_auth',
];

export const agentAuthPlace = (agentId: number): SealedPlace => [`agents.target_auth:${agentId}`];

export const cardSigningKeyPlace = (keyId: number): SealedPlace => [`card_signing_keys.private_key:${keyId}`];

export const guardrailCredentialsPlace = (providerId: number): SealedPlace => [
  `guardrail_providers.credentials:${providerId}`,
  'guardrail_providers.credentials',
];

export const oauthClientSecretPlace = (providerId: number): SealedPlace => [
  `oauth_providers.client_secret:${providerId}`,
];

export const oauthSigningKeyPlace = (keyId: number): SealedPlace => [`oauth_signing_keys.private_key:${keyId}`];

export const grantAccessTokenPlace = (grantId: number): SealedPlace => [`oauth_grants.access_token:${grantId}`];

export const grantRefreshTokenPlace = (grantId: number): SealedPlace => [`oauth_grants.refresh_token:${grantId}`];

export const guardrailEndpointPlace = (endpointId: number): SealedPlace => [
  `guardrail_endpoints.credentials:${endpointId}`,
];

/** Encryption context of the credentials of guardrail providers. */
export const guardrailCredentialsContext = 'guardrail_providers.credentials';

import type { MoreParameters } from '../oauth/provider-client.ts';
import type { OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';

/** Where providers are told what a token is for: RFC 8707, a word of their own, or nowhere but in the scopes. */
const parameterOf: Readonly<Partial<Record<OAuthProviderType, 'audience' | 'none'>>> = {
  auth0: 'audience',
  // They refuse the parameter, or give other tokens for it.
  azure_ad: 'none',
  github: 'none',
  google: 'none',
};

/**
 * What a provider is sent for the target. What the client sends as `resource` names the proxy, which no provider knows: it ends
 * here.
 * @param resource what the provider calls the target; undefined where the scopes say it
 */
export function resourceParameter(type: OAuthProviderType, resource: string | undefined): MoreParameters {
  const parameter = parameterOf[type] ?? 'resource';
  return resource === undefined || parameter === 'none' ? {} : { [parameter]: resource };
}

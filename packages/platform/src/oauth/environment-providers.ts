import { oauthProviderTemplates, type OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';
import type { Config } from '../config/config.ts';
import { signInKeys, signInProviderNames, type SignInProviderName } from '../config/sign-in-options.ts';
import { publicBaseOf } from '../config/public-base.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { callbackOf } from './stored-provider.ts';

/** The providers that the environment configures. */
export const createEnvironmentProviders = (config: Config): readonly OAuthProvider[] =>
  signInProviderNames.flatMap((name) => readProvider(config, name));

function readProvider(config: Config, name: SignInProviderName): OAuthProvider[] {
  const keys = signInKeys(name);
  const { [keys.id]: clientId, [keys.secret]: clientSecret, [keys.issuer]: issuer } = config;
  const callback = callbackOf(name, publicBaseOf(config));
  if (clientId === undefined || clientSecret === undefined || issuer === undefined || callback === undefined) return [];
  const type: OAuthProviderType = name === 'oidc' ? 'custom' : name;
  return [
    {
      key: `env:${name}`,
      id: undefined,
      name,
      type,
      clientId,
      clientSecret,
      addresses: { kind: 'issuer', issuer: new URL(issuer) },
      scopes: oauthProviderTemplates[type].scopes,
      callback,
      tenants: [],
      trustsEmail: false,
      linksManagementUsers: config.OAUTH_LINKS_MANAGEMENT_USERS.includes(name),
      signIn: true,
      enabled: true,
      version: 'environment',
    },
  ];
}

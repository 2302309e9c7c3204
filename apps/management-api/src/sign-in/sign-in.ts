import { addressRuleOf, type Config } from '@portcullis/platform/config/config';
import { signInKeys, signInProviderNames, type SignInProviderName } from '@portcullis/platform/config/sign-in-options';
import { createGuardedFetch, type GuardedFetch } from '@portcullis/platform/http/guarded-fetch';
import { createGithubProvider } from './github-provider.ts';
import { createOidcProvider } from './oidc-provider.ts';
import type { SignInProvider } from './sign-in-provider.ts';

/** The providers that the environment configures, over connections that are kept. */
export interface SignIn extends AsyncDisposable {
  readonly providers: ReadonlyMap<string, SignInProvider>;
}

const limits = { timeoutMs: 5_000, maxAnswerBytes: 1_048_576 };

export function createSignIn(config: Config): SignIn {
  const guarded = createGuardedFetch(addressRuleOf(config), limits);
  const providers = signInProviderNames.flatMap((name) => openProvider(config, name, guarded.fetch));
  return {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    [Symbol.asyncDispose]: () => guarded[Symbol.asyncDispose](),
  };
}

function openProvider(config: Config, name: SignInProviderName, fetch: GuardedFetch['fetch']): SignInProvider[] {
  const keys = signInKeys(name);
  const { [keys.id]: clientId, [keys.secret]: clientSecret, [keys.issuer]: issuer } = config;
  const base = config.OAUTH_REDIRECT_BASE_URL;
  if (clientId === undefined || clientSecret === undefined || issuer === undefined || base === undefined) return [];
  const create = name === 'github' ? createGithubProvider : createOidcProvider;
  const callback = new URL(`${base.replace(/\/+$/, '')}/api/v1/auth/oauth/callback/${name}`);
  const allowPlainHttp = config.ENVIRONMENT === 'development';
  return [create({ name, issuer: new URL(issuer), clientId, clientSecret, callback, fetch, allowPlainHttp })];
}

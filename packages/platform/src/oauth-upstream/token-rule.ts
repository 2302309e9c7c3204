import type { OAuthProvider } from '../oauth/oauth-provider.ts';

/** For whom tokens must be issued that a proxy forwards. */
export interface TokenRule {
  /** The proxy's origin. */
  readonly issuer: string;
  /** None: for the proxy itself, or an endpoint of it. */
  readonly audiences: ReadonlySet<string>;
  readonly tokenCheck: 'auto' | 'introspection' | 'userinfo';
}

/** How a token is checked: by the keys of the provider, or by asking it. */
export type TokenCheck = 'signature' | 'introspection' | 'userinfo';

export const checkOf = ({ tokenCheck }: TokenRule, provider: OAuthProvider, isSigned: boolean): TokenCheck => {
  if (tokenCheck !== 'auto') return tokenCheck;
  return isSigned && !isApp(provider) ? 'signature' : 'introspection';
};

/** Their tokens say nothing to anyone else, and name the app to which they were issued. */
const isApp = ({ type }: OAuthProvider): boolean => type === 'github' || type === 'google';

/**
 * Whether a token is for the proxy. One of a provider that tells of the apps it issues them to may be for the gateway, as such
 * an app.
 * @param audiences undefined where the provider does not say: then an admin has said that this does not matter
 */
export function isForProxy(
  audiences: readonly string[] | undefined,
  rule: TokenRule,
  provider: OAuthProvider,
): boolean {
  if (audiences === undefined) return rule.tokenCheck === 'userinfo';
  return audiences.some((one) => isNamed(one, rule) || (isApp(provider) && one === provider.clientId));
}

const isNamed = (audience: string, { issuer, audiences }: TokenRule): boolean =>
  audiences.size > 0 ? audiences.has(audience) : audience === issuer || audience.startsWith(`${issuer}/`);

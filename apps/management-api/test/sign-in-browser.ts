import type { SignInPeer } from '@portcullis/testkit/sign-in-peer';

/** What the browser holds when the provider has sent it back. */
export interface Returned {
  /** Path and query of the callback. */
  readonly path: string;
  readonly cookie: string;
  /** From which the browser speaks, see `signInEnvironment`. */
  readonly address: string;
}

/** The environment that offers a sign-in with the peer, as `oidc`, `azure_ad` and `github`. */
export const signInEnvironment = ({ url, clientId, clientSecret }: SignInPeer): Readonly<Record<string, string>> => ({
  OAUTH_REDIRECT_BASE_URL: 'https://gateway.example',
  OAUTH_LINKS_MANAGEMENT_USERS: 'oidc,azure_ad,github',
  // Each browser has an address of its own, or the limit of one would be that of the whole file.
  TRUSTED_PROXIES: '127.0.0.1/32',
  ...Object.fromEntries(
    ['OIDC', 'AZURE_AD', 'GITHUB'].flatMap((name) => [
      [`OAUTH_${name}_CLIENT_ID`, clientId],
      [`OAUTH_${name}_CLIENT_SECRET`, clientSecret],
      [`OAUTH_${name}_ISSUER`, url],
    ]),
  ),
});

let browsers = 0;
const newAddress = (): string => `10.1.${Math.floor((browsers += 1) / 250)}.${(browsers % 250) + 1}`;

/** Begins a sign-in at the gateway and goes through the provider's, as a browser does. */
export const signInAtProvider = (origin: string, provider: string, query = ''): Promise<Returned> =>
  openAtProvider(origin, `/api/v1/auth/oauth/login/${provider}${query}`);

/** The same for an address of the gateway that begins one. */
export async function openAtProvider(origin: string, path: string): Promise<Returned> {
  const address = newAddress();
  const begun = await fetch(`${origin}${path}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': address },
  });
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(asked.headers.get('location') ?? '');
  return { path: `${back.pathname}${back.search}`, cookie, address };
}

export const finishAtGateway = (origin: string, { path, cookie, address }: Returned): Promise<Response> =>
  fetch(`${origin}${path}`, { headers: { cookie, 'x-forwarded-for': address } });

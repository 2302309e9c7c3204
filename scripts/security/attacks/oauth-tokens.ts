import { randomUUID } from 'node:crypto';
import { isBack, newVerifier, OAuthByHand } from '../../../apps/gateway/test/oauth-client.ts';
import { enableOAuth } from '../../../apps/gateway/test/start-oauth-gateway.ts';
import { setUpProxy, type ReadyProxy } from '../../../apps/gateway/test/set-up-proxy.ts';
import { Browser } from '../../../packages/testkit/src/browser.ts';
import { decideConsent } from '../../../packages/testkit/src/consent.ts';
import { findFreePort } from '../../../packages/testkit/src/free-port.ts';
import { startOpenIdPeer, type OpenIdPeer } from '../../../packages/testkit/src/identity-providers/open-id-peer.ts';
import { answer, startLoopbackPeer, type Peer } from '../../../packages/testkit/src/loopback-peer.ts';
import type { TestGateway } from '../../../packages/testkit/src/test-gateway.ts';
import { judge, type Attack } from '../attack.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Whose tokens say nothing and are asked about, and whose are signed for `account`, as Keycloak's are. */
type Issuer = 'opaque' | 'signed';

interface Kind {
  readonly name: string;
  readonly issuer: Issuer;
  readonly settings: { readonly oauth_proxy_mode: 'gateway' | 'upstream' } & Readonly<Record<string, unknown>>;
}

const upstream = { oauth_proxy_mode: 'upstream', oauth_proxy_audiences: ['account', 'gateway'] } as const;
/** A proxy for each way in which tokens are taken. */
const kinds: readonly Kind[] = [
  { name: 'gateway', issuer: 'opaque', settings: { oauth_proxy_mode: 'gateway' } },
  { name: 'another gateway', issuer: 'opaque', settings: { oauth_proxy_mode: 'gateway' } },
  { name: 'signatures', issuer: 'signed', settings: upstream },
  { name: 'introspection', issuer: 'opaque', settings: { ...upstream, oauth_proxy_token_check: 'introspection' } },
  { name: 'userinfo', issuer: 'opaque', settings: { ...upstream, oauth_proxy_token_check: 'userinfo' } },
];

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (token: string, part: number): object => {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())) as object;
  } catch {
    return {};
  }
};

/** What an attacker makes of a good token, and without one; never the same twice, so that no answer is remembered. */
function forge(good: string): readonly string[] {
  const [header = '', claims = '', signature = 'AA'] = good.split('.');
  const fresh = (): string => encode({ ...read(good, 1), exp: 9_999_999_999, jti: randomUUID() });
  const under = (changes: object, end: string): string =>
    `${encode({ ...read(good, 0), ...changes })}.${fresh()}.${end}`;
  return [
    randomUUID(),
    `a.${randomUUID()}.c`,
    under({ alg: 'none' }, ''),
    under({ alg: 'none' }, 'AA'),
    under({ alg: 'None' }, signature),
    under({ alg: 'HS256' }, signature),
    under({ kid: randomUUID() }, signature),
    `${header}.${fresh()}.${signature}`,
    `${header}.${claims}.`,
    `${header}.${claims}.${encode(randomUUID())}`,
    `${good}${randomUUID()}`,
  ];
}

interface Tried extends Kind {
  readonly proxy: ReadyProxy;
  readonly good: string;
}

/** All the way to a token, as a client and a user do who mean well. */
async function signIn(gateway: TestGateway, proxy: ReadyProxy): Promise<string> {
  const server = new OAuthByHand(gateway.url, proxy.id, '127.0.0.1');
  const { client_id: id } = await server.register();
  const verifier = newVerifier();
  const back = await decideConsent(new Browser(), server.authorizationUrl(id, verifier), isBack);
  const { body } = await server.exchange(id, back.searchParams.get('code') ?? '', verifier);
  if (typeof body.access_token !== 'string') throw new Error(`no token but ${back.search} ${JSON.stringify(body)}`);
  return body.access_token;
}

const codeFlow = (gateway: TestGateway, number: number) => ({
  redirectUris: [`${gateway.url}/api/v1/oauth-proxy/callback/${number}`],
});

/** The providers in the order of their numbers; users of both may come. */
async function openProviders({ admin }: TestGateway, providers: Readonly<Record<Issuer, OpenIdPeer>>, groupId: number) {
  const ids = new Map<Issuer, number>();
  for (const issuer of ['opaque', 'signed'] as const) {
    const { clientId, clientSecret, issuer: address } = providers[issuer];
    const { id } = await admin.expect<{ id: number }>('POST', '/oauth/providers', {
      name: issuer,
      provider_type: issuer === 'signed' ? 'keycloak' : 'custom',
      client_id: clientId,
      client_secret: clientSecret,
      issuer: address,
    });
    const rule = { rule_type: 'email_domain', rule_value: 'example.com', provider_id: id, user_group_id: groupId };
    await admin.expect('POST', '/oauth/rules', rule);
    ids.set(issuer, id);
  }
  return ids;
}

async function openKinds(
  gateway: TestGateway,
  providers: Readonly<Record<Issuer, OpenIdPeer>>,
  target: Peer,
): Promise<readonly Tried[]> {
  const { admin } = gateway;
  const { id: groupId } = await admin.expect<{ id: number }>('POST', '/user-groups', { name: 'those who sign in' });
  const ids = await openProviders(gateway, providers, groupId);
  const tried: Tried[] = [];
  for (const kind of kinds) {
    const proxy = await setUpProxy(admin, target.url, { type: 'mcp' });
    await admin.expect('POST', `/user-groups/${groupId}/proxy-access`, { proxy_config_id: proxy.id });
    await enableOAuth({ gateway, providerId: ids.get(kind.issuer) ?? 0 }, proxy, kind.settings);
    tried.push({ ...kind, proxy, good: await signIn(gateway, proxy) });
  }
  return tried;
}

/** Tokens of other proxies and providers, good there. */
const foreignTo = (one: Tried, tried: readonly Tried[]): readonly string[] =>
  tried
    .filter((other) => {
      const isSameProvider = other.issuer === one.issuer;
      const areBothForwarded = [one, other].every(({ settings }) => settings.oauth_proxy_mode === 'upstream');
      return other !== one && !(isSameProvider && areBothForwarded);
    })
    .map(({ good }) => good);

async function tryAll(
  tried: readonly Tried[],
  target: Peer,
  providers: Readonly<Record<Issuer, OpenIdPeer>>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const send = async ({ proxy }: Tried, token: string): Promise<number> => {
    // Without any key: one in X-API-Key would come first.
    const response = await fetch(`${proxy.url}/mcp`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify(ping),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const tryBad = async (when: string): Promise<void> => {
    target.forget();
    const tries = tried.flatMap((one) =>
      [...forge(one.good), ...foreignTo(one, tried)].map(async (token) => {
        const status = await send(one, token);
        if (status !== 401 && status !== 503) faults.push(`${one.name}, ${when}: ${status} for ${token.slice(0, 40)}…`);
      }),
    );
    await Promise.all(tries);
    if (target.requests.length > 0) faults.push(`${when}: ${target.requests.length} reached the target`);
  };
  const tryGood = async (when: string): Promise<void> => {
    for (const one of tried) {
      const status = await send(one, one.good);
      if (status !== 200) faults.push(`${one.name}, ${when}: a good token was answered ${status}`);
    }
  };
  const both = Object.values(providers);
  await tryBad('providers up');
  await tryGood('providers up');
  const releases = both.map((provider) => provider.hold());
  await tryBad('providers slow');
  for (const release of releases) release();
  await tryGood('providers up again');
  for (const provider of both) await provider[Symbol.asyncDispose]();
  await tryBad('providers away');
  return faults;
}

export const oauthTokens: readonly Attack[] = [
  {
    name: 'made-up, unsigned, changed and foreign tokens on every kind of OAuth proxy, with the provider up, slow and away',
    attacker: 'stranger',
    expected: '401, or 503 where nobody can be asked, and nothing reaches the target; good tokens go on',
    slow: true,
    async run({ openPlace }) {
      await using opened = new AsyncDisposableStack();
      const place = opened.use(await openPlace());
      const port = await findFreePort();
      const gateway = await place.start({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
      const target = opened.use(
        await startLoopbackPeer((_request, response) => answer(response, 200, { ...ping, result: {} })),
      );
      const providers = {
        opaque: opened.use(await startOpenIdPeer(codeFlow(gateway, 1))),
        signed: opened.use(await startOpenIdPeer(codeFlow(gateway, 2), 'keycloak')),
      };
      providers.signed.behave({ user: { email: 'eve@example.com' } });
      const tried = await openKinds(gateway, providers, target);
      const faults = await tryAll(tried, target, providers);
      return judge(faults, `${tried.length} kinds of proxies, each three times`);
    },
  },
];

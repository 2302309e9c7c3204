import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Provider, type Configuration } from 'oidc-provider';
import { findFreePort } from '../free-port.ts';
import type { IdentityProviderPeer, PeerOptions, PeerUser } from './identity-provider-peer.ts';

const clientId = 'gateway';
const clientSecret = 's3cret of the gateway';

const flavours = {
  /** As the standard has it. */
  standard: { path: '', routes: {} },
  /** Keycloak: realms in the path, its own names of endpoints, access tokens for `account`. */
  keycloak: {
    path: '/realms/example',
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      userinfo: '/protocol/openid-connect/userinfo',
      jwks: '/protocol/openid-connect/certs',
      revocation: '/protocol/openid-connect/revoke',
    },
  },
  /** Lets clients register, and issues signed tokens for whatever resource they name. */
  registering: { path: '', routes: {} },
} as const;

export interface OpenIdPeer extends IdentityProviderPeer {
  /** Answers nothing from now on until the answer is called. */
  hold(): () => void;
}

/** A certified OpenID Connect provider on loopback, whose user signs in and consents by themselves. */
export async function startOpenIdPeer(
  { redirectUris }: PeerOptions,
  flavour: keyof typeof flavours = 'standard',
): Promise<OpenIdPeer> {
  const { path, routes } = flavours[flavour];
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}${path}`;
  const state: { user: PeerUser; denies: boolean } = { user: {}, denies: false };
  const provider = new Provider(
    issuer,
    configurationOf({ redirectUris, routes, flavour, path, userOf: () => state.user }),
  );
  const serve = provider.callback();
  let held: Promise<void> | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await held;
    const own = (request.url ?? '').slice(path.length);
    if (own.startsWith('/interaction/')) await answerInteraction(provider, request, response, state);
    else await serve(mount(request, path), response);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer,
    clientId,
    clientSecret,
    behave: ({ user = state.user, denies = false }) => void Object.assign(state, { user, denies }),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The library reads where it is mounted from the address as it was before. */
function mount(request: IncomingMessage, path: string): IncomingMessage {
  if (path === '') return request;
  const originalUrl = request.url ?? '';
  return Object.assign(request, { originalUrl, url: originalUrl.slice(path.length) });
}

interface Parts {
  readonly redirectUris: readonly string[];
  readonly routes: NonNullable<Configuration['routes']>;
  readonly flavour: keyof typeof flavours;
  readonly path: string;
  readonly userOf: () => PeerUser;
}

const configurationOf = ({ redirectUris, routes, flavour, path, userOf }: Parts): Configuration => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [...redirectUris],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  routes,
  // What clients register with must be known; it is no scope of OpenID Connect itself.
  ...(flavour === 'registering' && { scopes: ['openid', 'offline_access', 'tools'] }),
  jwks: { keys: [newKey()] },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
  // Keycloak puts the claims of the scopes into the id token; the standard asks for them elsewhere.
  conformIdTokenClaims: flavour === 'standard',
  // Keycloak gives a refresh token unasked; the standard has a scope for it.
  ...(flavour === 'keycloak' && { issueRefreshToken: () => true }),
  interactions: { url: (_context, { uid }) => `${path}/interaction/${uid}` },
  findAccount: (_context, subject) => ({
    accountId: subject,
    claims: () => ({ sub: subject, ...claimsOf(userOf()) }),
  }),
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true },
    introspection: { enabled: true },
    ...(flavour === 'keycloak' && { resourceIndicators: accountTokens }),
    ...(flavour === 'registering' && { resourceIndicators: resourceTokens, registration: { enabled: true } }),
  },
});

/** Access tokens that are JWTs for Keycloak's own console, whichever client asked for them. */
const accountTokens: NonNullable<Configuration['features']>['resourceIndicators'] = {
  enabled: true,
  defaultResource: () => 'urn:account',
  useGrantedResource: () => true,
  getResourceServerInfo: () => ({ scope: 'openid email profile', audience: 'account', accessTokenFormat: 'jwt' }),
};

/** Signed tokens for the resource that a client names, as RFC 8707 has it. */
const resourceTokens: NonNullable<Configuration['features']>['resourceIndicators'] = {
  enabled: true,
  useGrantedResource: () => true,
  getResourceServerInfo: (_context, resource) => ({ scope: 'tools', audience: resource, accessTokenFormat: 'jwt' }),
};

const claimsOf = ({ email = 'ada@example.com', emailVerified = true, name = 'Ada' }: PeerUser) => ({
  email,
  email_verified: emailVerified,
  name,
  preferred_username: email.split('@', 1)[0] ?? '',
});

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' } as const;
}

/** The user presses what they have to press. */
async function answerInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { user, denies }: { readonly user: PeerUser; readonly denies: boolean },
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  if (denies) return finish({ error: 'access_denied', error_description: 'The user pressed no' });
  if (prompt.name === 'login') return finish({ login: { accountId: user.subject ?? user.email ?? 'ada@example.com' } });
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    readonly missingOIDCScope?: readonly string[];
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  };
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(' '));
  }
  return finish({ consent: { grantId: await grant.save() } });
}

import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answer, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';

/** Who signs in at the peer, and what the peer does wrong. */
export interface SignInBehaviour {
  readonly email: string;
  readonly verified: boolean;
  /** The user presses "no". */
  readonly denies: boolean;
  /** Claims of the id token that are not as they should be. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Tells the address at the userinfo endpoint instead of in the id token. */
  readonly emailElsewhere: boolean;
  /** Signs with a key that it does not publish. */
  readonly strangeKey: boolean;
}

/** A provider of sign-ins: OpenID Connect under its origin, and GitHub's OAuth with the API of an Enterprise Server. */
export interface SignInPeer extends Peer {
  readonly clientId: string;
  readonly clientSecret: string;
  /** How it behaves from now on; what is not given is as it should be. */
  behave(behaviour: Partial<SignInBehaviour>): void;
}

interface Grant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | null;
}

const clientId = 'gateway';
const clientSecret = 's3cret of the gateway';
const proper: SignInBehaviour = {
  email: 'ada@example.com',
  verified: true,
  denies: false,
  claims: {},
  emailElsewhere: false,
  strangeKey: false,
};
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Starts the provider. It checks the client's secret, the redirect URI and PKCE, and takes each code once. */
export async function startSignInPeer(): Promise<SignInPeer> {
  const provider = new SignInProvider();
  const peer = await startLoopbackPeer((request, response) => {
    const { url } = peer;
    const { pathname, searchParams } = new URL(request.path, url);
    const serve = Object.hasOwn(endpoints, pathname) ? endpoints[pathname] : undefined;
    if (serve === undefined) answer(response, 404, 'Nothing here');
    else serve({ provider, url, query: searchParams, request, response });
  });
  return { ...peer, clientId, clientSecret, behave: (next) => provider.behave(next) };
}

interface Call {
  readonly provider: SignInProvider;
  /** Origin of the provider. */
  readonly url: string;
  readonly query: URLSearchParams;
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
}

/** By path: OpenID Connect first, then GitHub's. */
const endpoints: Readonly<Record<string, (call: Call) => void>> = {
  '/.well-known/openid-configuration': ({ url, response }) =>
    answer(response, 200, {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/userinfo`,
      jwks_uri: `${url}/keys`,
    }),
  '/keys': ({ provider, response }) => answer(response, 200, { keys: [provider.publishedKey] }),
  '/authorize': ({ provider, url, query, response }) => provider.authorize(query, response, url),
  '/token': ({ provider, url, request, response }) => provider.exchange(request, response, url),
  '/userinfo': ({ provider, request, response }) => {
    const { email, verified } = provider.behaviour;
    provider.showUser(request, response, { sub: subjectOf(email), email, email_verified: verified });
  },
  '/login/oauth/authorize': ({ provider, url, query, response }) =>
    provider.authorize(query, response, `${url}/login/oauth`),
  '/login/oauth/access_token': ({ provider, request, response }) => provider.exchange(request, response, undefined),
  '/api/v3/user': ({ provider, request, response }) => {
    const id = Number.parseInt(subjectOf(provider.behaviour.email).slice(0, 8), 16);
    provider.showUser(request, response, { id, login: 'ada', name: null, email: null });
  },
  '/api/v3/user/emails': ({ provider, request, response }) => {
    const { email, verified } = provider.behaviour;
    provider.showUser(request, response, [
      { email: 'other@example.com', primary: false, verified: true },
      { email, primary: true, verified },
    ]);
  },
};

class SignInProvider {
  readonly #own = newKey();
  readonly #strange = newKey();
  readonly #grants = new Map<string, Grant>();
  readonly #accessTokens = new Set<string>();
  behaviour = proper;

  get publishedKey(): object {
    return { ...this.#own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' };
  }

  behave(next: Partial<SignInBehaviour>): void {
    this.behaviour = { ...proper, ...next };
  }

  authorize(query: URLSearchParams, response: ServerResponse, issuer: string): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    const isProper =
      query.get('client_id') === clientId &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      challenge !== '';
    if (!isProper) return answer(response, 400, 'What is this?');
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('session_state', 'of no concern');
    if (this.behaviour.denies) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.#grants.set(code, { redirectUri, challenge, nonce: query.get('nonce') });
      back.searchParams.set('code', code);
      back.searchParams.set('iss', issuer);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  /** @param issuer of the id token; undefined where none is given */
  exchange(request: RecordedRequest, response: ServerResponse, issuer: string | undefined): void {
    const form = new URLSearchParams(request.body);
    if (!isClient(request, form)) return answer(response, 401, { error: 'invalid_client' });
    const grant = this.#takeGrant(form);
    if (grant === undefined) return answer(response, 400, { error: 'invalid_grant' });
    const accessToken = randomUUID();
    this.#accessTokens.add(accessToken);
    const tokens = { access_token: accessToken, token_type: 'bearer' };
    if (issuer === undefined) answer(response, 200, { ...tokens, scope: 'user:email' });
    else answer(response, 200, { ...tokens, id_token: this.#signIdToken(grant, issuer) });
  }

  showUser(request: RecordedRequest, response: ServerResponse, user: unknown): void {
    const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
    const isKnown = this.#accessTokens.has(token);
    answer(response, isKnown ? 200 : 401, isKnown ? user : {});
  }

  #takeGrant(form: URLSearchParams): Grant | undefined {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri') ? grant : undefined;
  }

  #signIdToken({ nonce }: Grant, issuer: string): string {
    const { email, verified, emailElsewhere, claims, strangeKey } = this.behaviour;
    const nowS = Math.floor(Date.now() / 1_000);
    const times = { iat: nowS, exp: nowS + 300 };
    const address = emailElsewhere ? {} : { email, email_verified: verified };
    const { privateKey } = strangeKey ? this.#strange : this.#own;
    return signToken(
      { iss: issuer, aud: clientId, sub: subjectOf(email), nonce, ...times, ...address, ...claims },
      privateKey,
    );
  }
}

/** Another address is another user. */
const subjectOf = (email: string): string => createHash('sha256').update(email).digest('hex').slice(0, 16);

/** The secret in the header, as forms encode it, or in the body. */
function isClient({ headers }: RecordedRequest, form: URLSearchParams): boolean {
  const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? [];
  if (scheme !== 'Basic') return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
  const [id = '', secret = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  const decoded = [...new URLSearchParams(`a=${id}&b=${secret}`).values()];
  return decoded[0] === clientId && decoded[1] === clientSecret;
}

function signToken(claims: object, key: KeyObject): string {
  const parts = [{ alg: 'RS256', typ: 'JWT', kid: 'one' }, claims];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
}

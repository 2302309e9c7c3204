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
  const [own, strange] = [newKey(), newKey()];
  const grants = new Map<string, Grant>();
  const accessTokens = new Set<string>();
  let behaviour = proper;

  const authorize = (query: URLSearchParams, response: ServerResponse, issuer: string) => {
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
    if (behaviour.denies) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      grants.set(code, { redirectUri, challenge, nonce: query.get('nonce') });
      back.searchParams.set('code', code);
      back.searchParams.set('iss', issuer);
    }
    response.writeHead(302, { location: back.href }).end();
  };

  const takeGrant = (form: URLSearchParams): Grant | undefined => {
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri') ? grant : undefined;
  };

  const exchange = (request: RecordedRequest, response: ServerResponse, issuer: string | undefined) => {
    const form = new URLSearchParams(request.body);
    if (!isClient(request, form)) return answer(response, 401, { error: 'invalid_client' });
    const grant = takeGrant(form);
    if (grant === undefined) return answer(response, 400, { error: 'invalid_grant' });
    const accessToken = randomUUID();
    accessTokens.add(accessToken);
    const tokens = { access_token: accessToken, token_type: 'bearer' };
    if (issuer === undefined) return answer(response, 200, { ...tokens, scope: 'user:email' });
    const nowS = Math.floor(Date.now() / 1_000);
    const times = { iat: nowS, exp: nowS + 300 };
    const { email, verified, emailElsewhere, claims } = behaviour;
    const address = emailElsewhere ? {} : { email, email_verified: verified };
    const who = { iss: issuer, aud: clientId, sub: 'u-1', nonce: grant.nonce, ...times, ...address, ...claims };
    const { privateKey } = behaviour.strangeKey ? strange : own;
    answer(response, 200, { ...tokens, id_token: signToken(who, privateKey) });
  };

  const showUser = (request: RecordedRequest, response: ServerResponse, user: unknown) => {
    const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
    answer(response, accessTokens.has(token) ? 200 : 401, accessTokens.has(token) ? user : {});
  };

  const peer = await startLoopbackPeer((request, response) => {
    const { url } = peer;
    const { pathname, searchParams } = new URL(request.path, url);
    const { email, verified } = behaviour;
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return answer(response, 200, {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          userinfo_endpoint: `${url}/userinfo`,
          jwks_uri: `${url}/keys`,
        });
      case '/keys':
        return answer(response, 200, {
          keys: [{ ...own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }],
        });
      case '/authorize':
        return authorize(searchParams, response, url);
      case '/token':
        return exchange(request, response, url);
      case '/userinfo':
        return showUser(request, response, { sub: 'u-1', email, email_verified: verified });
      case '/login/oauth/authorize':
        return authorize(searchParams, response, `${url}/login/oauth`);
      case '/login/oauth/access_token':
        return exchange(request, response, undefined);
      case '/api/v3/user/emails':
        return showUser(request, response, [
          { email: 'other@example.com', primary: false, verified: true },
          { email, primary: true, verified },
        ]);
      default:
        return answer(response, 404, 'Nothing here');
    }
  });

  return {
    ...peer,
    clientId,
    clientSecret,
    behave: (next) => {
      behaviour = { ...proper, ...next };
    },
  };
}

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

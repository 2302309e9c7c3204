import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { answer, startLoopbackPeer, type Peer } from '../loopback-peer.ts';
import { isPeerClient, peerClientId, peerClientSecret } from './code-grants.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A provider that issues whatever token a test wants, signed ones and ones that say nothing. Nobody signs in there. */
export interface TokenIssuerPeer extends Peer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A signed access token, proper but for the given claims; undefined takes one away. */
  sign(claims?: Claims, header?: Claims): string;
  /** A token that says nothing itself, and what the provider says of it. */
  issue(claims?: Claims): string;
  /** Takes such a token back. */
  revoke(token: string): void;
  /** Signs with another key from now on, and publishes it alone. */
  rotate(): void;
  /** Answers nothing from now on until the answer is called. */
  hold(): () => void;
}

export async function startTokenIssuerPeer(): Promise<TokenIssuerPeer> {
  const issued = new Map<string, Claims>();
  let key = newKey();
  let held: Promise<void> | undefined;
  const proper = (): Claims => {
    const nowS = Math.floor(Date.now() / 1_000);
    return {
      iss: peer.url,
      sub: 'ada',
      aud: 'https://mcp.example',
      iat: nowS,
      exp: nowS + 600,
      client_id: peerClientId,
    };
  };
  const peer = await startLoopbackPeer(async (request, response) => {
    const form = new URLSearchParams(request.body);
    await held;
    switch (new URL(request.path, peer.url).pathname) {
      case '/.well-known/openid-configuration':
        return answer(response, 200, metadataOf(peer.url));
      case '/keys':
        return answer(response, 200, { keys: [publicOf(key)] });
      case '/introspect':
        if (!isPeerClient(request, form)) return answer(response, 401, { error: 'invalid_client' });
        return answer(response, 200, introspect(issued.get(form.get('token') ?? '')));
      case '/userinfo': {
        const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
        const { sub, exp } = Object(issued.get(token)) as { sub?: unknown; exp?: unknown };
        return sub === undefined || Number(exp) * 1_000 < Date.now()
          ? answer(response, 401, 'No')
          : answer(response, 200, { sub });
      }
      default:
        return answer(response, 404, 'Not Found');
    }
  });

  return {
    ...peer,
    issuer: peer.url,
    clientId: peerClientId,
    clientSecret: peerClientSecret,
    sign: (claims = {}, header = {}) => signToken(key, { ...proper(), ...claims }, header),
    issue(claims = {}) {
      const token = `opaque-${randomUUID()}`;
      issued.set(token, { ...proper(), token_type: 'Bearer', ...claims });
      return token;
    },
    revoke: (token) => void issued.delete(token),
    rotate: () => void (key = newKey()),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
  };
}

const metadataOf = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  introspection_endpoint: `${url}/introspect`,
  userinfo_endpoint: `${url}/userinfo`,
  jwks_uri: `${url}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
});

const introspect = (claims: Claims | undefined): Claims =>
  claims === undefined ? { active: false } : { active: true, ...claims };

interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const newKey = (): SigningKey => ({ kid: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });

const publicOf = ({ kid, publicKey }: SigningKey) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' });

function signToken({ kid, privateKey }: SigningKey, claims: Claims, header: Claims): string {
  const parts = [{ alg: 'ES256', typ: 'at+jwt', kid, ...header }, claims];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('SHA256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

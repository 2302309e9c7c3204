import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { answer, startLoopbackPeer, type RecordedRequest } from '../loopback-peer.ts';
import { CodeGrants, isPeerClient, peerClientId, peerClientSecret, type CodeGrant } from './code-grants.ts';
import type { IdentityProviderPeer, PeerOptions, PeerUser } from './identity-provider-peer.ts';

/** The tenant of the user unless another one is wanted. */
export const entraTenant = '11111111-2222-3333-4444-555555555555';

export interface EntraBehaviour {
  readonly user?: PeerUser;
  readonly denies?: boolean;
  /** Of the user. */
  readonly tenant?: string;
  /** Whether the app asked for the optional claims `email` and `xms_edov`. */
  readonly optionalClaims?: boolean;
  /** Of the access tokens, as the API that they are for asks for it; the second unless given. */
  readonly apiVersion?: 1 | 2;
  /** What is wrong with the id token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface EntraPeer extends Omit<IdentityProviderPeer, 'issuer' | 'behave'> {
  /** For a tenant id, or `common`; the first version of the endpoints has no `v2.0`. */
  issuerOf(tenant: string, version?: 1 | 2): string;
  behave(behaviour: EntraBehaviour): void;
}

/**
 * What is peculiar about Entra: an issuer with `{tenantid}` for all tenants, another host for the issuer of its first version,
 * no `email` and no `email_verified` in the id token, and a refusal of `resource`.
 */
export async function startEntraPeer({ redirectUris }: PeerOptions): Promise<EntraPeer> {
  const grants = new CodeGrants();
  const key = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  let state: EntraBehaviour = {};

  const peer = await startLoopbackPeer((request, response) => {
    const { pathname, searchParams } = new URL(request.path, peer.url);
    const [, tenant = '', ...rest] = pathname.split('/');
    const path = rest.join('/');
    const version = path.includes('v2.0') ? 2 : 1;
    if (path.endsWith('.well-known/openid-configuration'))
      return answer(response, 200, metadataOf(peer.url, tenant, version));
    if (path === 'discovery/keys') {
      const jwk = key.publicKey.export({ format: 'jwk' });
      return answer(response, 200, {
        keys: [{ ...jwk, use: 'sig', kid: 'entra', issuer: issuerOf(peer.url, '{tenantid}', 2) }],
      });
    }
    if (path.startsWith('oauth2/') && searchParams.has('resource')) {
      return answer(response, 400, {
        error: 'invalid_request',
        error_description: 'AADSTS901002: resource is not supported',
      });
    }
    if (path.endsWith('/authorize')) {
      const back = grants.authorize(searchParams, redirectUris, state.denies === true);
      if (back === undefined) return answer(response, 400, 'AADSTS50011');
      back.searchParams.set('session_state', 'of no concern');
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (path.endsWith('/token')) {
      const { status, body } = exchange({ grants, origin: peer.url, state, key: key.privateKey }, request, version);
      return answer(response, status, body);
    }
    answer(response, 404, 'Not Found');
  });

  return {
    clientId: peerClientId,
    clientSecret: peerClientSecret,
    issuerOf: (tenant, version = 2) => `${peer.url}/${tenant}${version === 2 ? '/v2.0' : ''}`,
    behave: (behaviour) => void (state = behaviour),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** What the token endpoint answers. */
function exchange(parts: ExchangeParts, request: RecordedRequest, version: 1 | 2) {
  const { grants, origin, state, key } = parts;
  const form = new URLSearchParams(request.body);
  if (!isPeerClient(request, form)) {
    return { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } };
  }
  const grant = grants.take(form);
  if (grant === undefined) return { status: 400, body: { error: 'invalid_grant', error_description: 'AADSTS70008' } };
  const claims = { ...claimsOf(origin, state, grant, version), ...state.claims };
  const lifetime = { expires_in: 3_599, ext_expires_in: 3_599 };
  const tokens = {
    access_token: signToken(accessClaimsOf(origin, state, grant), key),
    id_token: signToken(claims, key),
  };
  return { status: 200, body: { token_type: 'Bearer', scope: grant.scope, ...lifetime, ...tokens } };
}

interface ExchangeParts {
  readonly grants: CodeGrants;
  readonly origin: string;
  readonly state: EntraBehaviour;
  readonly key: KeyObject;
}

const issuerOf = (origin: string, tenant: string, version: 1 | 2): string =>
  version === 2 ? `${origin}/${tenant}/v2.0` : `https://sts.windows.net/${tenant}/`;

function metadataOf(origin: string, tenant: string, version: 1 | 2) {
  const published = /^(?:common|organizations)$/.test(tenant) ? '{tenantid}' : tenant;
  const folder = version === 2 ? 'oauth2/v2.0' : 'oauth2';
  return {
    issuer: issuerOf(origin, published, version),
    authorization_endpoint: `${origin}/${tenant}/${folder}/authorize`,
    token_endpoint: `${origin}/${tenant}/${folder}/token`,
    jwks_uri: `${origin}/${tenant}/discovery/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
  };
}

function claimsOf(
  origin: string,
  { user = {}, tenant = entraTenant, optionalClaims }: EntraBehaviour,
  grant: CodeGrant,
  version: 1 | 2,
) {
  const { email = 'ada@example.com', subject = email, name = 'Ada', emailVerified = true } = user;
  const nowS = Math.floor(Date.now() / 1_000);
  return {
    ver: version === 2 ? '2.0' : '1.0',
    iss: issuerOf(origin, tenant, version),
    aud: peerClientId,
    iat: nowS,
    exp: nowS + 3_600,
    nonce: grant.nonce,
    sub: subject,
    oid: subject,
    tid: tenant,
    name,
    // What the users call themselves, and the admins of their tenant.
    preferred_username: email,
    ...(optionalClaims === true && { email, xms_edov: emailVerified }),
  };
}

/** Of the second version for the id of the app, of the first for its address and by another issuer; users have other subjects there. */
function accessClaimsOf(origin: string, state: EntraBehaviour, { scope }: CodeGrant) {
  const { user = {}, tenant = entraTenant, apiVersion = 2 } = state;
  const subject = user.subject ?? user.email ?? 'ada@example.com';
  const [api = '00000003-0000-0000-c000-000000000000'] = /api:\/\/[\w-]+/.exec(scope) ?? [];
  const nowS = Math.floor(Date.now() / 1_000);
  return {
    ver: `${apiVersion}.0`,
    iss: issuerOf(origin, tenant, apiVersion),
    aud: apiVersion === 2 ? api.replace('api://', '') : api,
    iat: nowS,
    nbf: nowS,
    exp: nowS + 3_599,
    sub: `${subject} at ${api}`,
    oid: subject,
    tid: tenant,
    scp: 'Tools.Use',
    [apiVersion === 2 ? 'azp' : 'appid']: peerClientId,
  };
}

function signToken(claims: object, key: KeyObject): string {
  const parts = [{ alg: 'RS256', typ: 'JWT', kid: 'entra' }, claims];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
}

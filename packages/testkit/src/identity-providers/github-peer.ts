import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answer, startLoopbackPeer, type RecordedRequest } from '../loopback-peer.ts';
import { CodeGrants, isPeerClient, peerClientId, peerClientSecret } from './code-grants.ts';
import type { IdentityProviderPeer, PeerOptions, PeerUser } from './identity-provider-peer.ts';

/**
 * What is peculiar about GitHub, as an Enterprise Server has it: no discovery and no id token, forms for who does not ask for
 * JSON, errors with status 200, scopes with commas, an API that wants a user agent, and addresses at an endpoint of their own.
 */
export async function startGithubPeer({ redirectUris }: PeerOptions): Promise<IdentityProviderPeer> {
  const grants = new CodeGrants();
  const tokens = new Map<string, GivenToken>();
  const state: { user: PeerUser; denies: boolean } = { user: {}, denies: false };

  const peer = await startLoopbackPeer((request, response) => {
    const { pathname, searchParams } = new URL(request.path, peer.url);
    switch (pathname) {
      case '/login/oauth/authorize': {
        const back = grants.authorize(searchParams, redirectUris, state.denies);
        if (back === undefined) return answer(response, 404, 'Not Found');
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/login/oauth/access_token':
        return answerToken(request, response, exchange(request));
      case '/api/v3/user':
        return answerApi(request, response, ({ email = 'ada@example.com', name = 'Ada' }) => ({
          id: idOf(email),
          login: email.split('@', 1)[0],
          name,
          // What the user wants to be written to, which need not be theirs.
          email: 'public@elsewhere.example',
        }));
      case '/api/v3/user/emails':
        return answerApi(request, response, ({ email = 'ada@example.com', emailVerified = true }) => [
          { email: 'other@example.com', primary: false, verified: true, visibility: null },
          { email, primary: true, verified: emailVerified, visibility: 'private' },
        ]);
      case `/api/v3/applications/${peerClientId}/token`:
        return answerApp(request, response, tokens);
      default:
        return answer(response, 404, { message: 'Not Found' });
    }
  });

  const exchange = (request: RecordedRequest): Readonly<Record<string, string>> => {
    const form = new URLSearchParams(request.body);
    if (!isPeerClient(request, form)) return { error: 'incorrect_client_credentials' };
    const grant = grants.take(form);
    if (grant === undefined) return { error: 'bad_verification_code' };
    const token = `gho_${randomUUID()}`;
    const scope = grant.scope.split(' ').join(',');
    tokens.set(token, { user: state.user, scope });
    return { access_token: token, scope, token_type: 'bearer' };
  };

  const answerApi = (request: RecordedRequest, response: ServerResponse, render: (user: PeerUser) => unknown): void => {
    if (request.headers['user-agent'] === undefined) return answer(response, 403, 'Request forbidden by rules');
    const known = tokens.get(request.headers.authorization?.replace(/^(?:Bearer|token) /, '') ?? '');
    if (known === undefined) return answer(response, 401, { message: 'Bad credentials' });
    const isAllowed = !request.path.endsWith('/emails') || known.scope.split(',').includes('user:email');
    if (!isAllowed) return answer(response, 404, { message: 'Not Found' });
    answer(response, 200, render(known.user));
  };

  return {
    issuer: peer.url,
    clientId: peerClientId,
    clientSecret: peerClientSecret,
    behave: ({ user = state.user, denies = false }) => void Object.assign(state, { user, denies }),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

interface GivenToken {
  readonly user: PeerUser;
  readonly scope: string;
}

/** Whether a token is one of the app, which says who it is with its own credentials. */
function answerApp(request: RecordedRequest, response: ServerResponse, tokens: ReadonlyMap<string, GivenToken>): void {
  if (!isPeerClient(request, new URLSearchParams())) {
    return answer(response, 401, { message: 'Requires authentication' });
  }
  const { access_token: token = '' } = JSON.parse(request.body) as { access_token?: string };
  const known = tokens.get(token);
  if (known === undefined) return answer(response, 404, { message: 'Not Found' });
  const { email = 'ada@example.com' } = known.user;
  const app = { name: 'Gateway', client_id: peerClientId };
  answer(response, 200, { id: 1, token, app, user: { id: idOf(email) }, expires_at: null });
}

/** Forms, unless JSON is asked for; status 200 for errors, too. */
function answerToken(
  request: RecordedRequest,
  response: ServerResponse,
  fields: Readonly<Record<string, string>>,
): void {
  if (request.headers.accept?.includes('application/json') === true) return answer(response, 200, fields);
  const type = 'application/x-www-form-urlencoded; charset=utf-8';
  response.writeHead(200, { 'content-type': type }).end(new URLSearchParams(fields).toString());
}

const idOf = (email: string): number => createHash('sha256').update(email).digest().readUInt32BE();

import { finishSignIn, listSignInProviders, startSignIn } from '@portcullis/contracts/routes/sign-in';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { createLoginLimits, type LoginLimits } from '../auth/login-limits.ts';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { findUserOfAddress, noteLogin, renderUser } from '@portcullis/platform/identity/user-queries';
import {
  createAuthorizationRequests,
  type AuthorizationRequests,
  type BroughtBack,
} from '@portcullis/platform/oauth/authorization-requests';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import { providerRefusal } from '@portcullis/platform/oauth/provider-refusal';
import type { SignIn } from './sign-in.ts';

export interface SignInParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'buckets' | 'attempts'>;
  readonly encryption: Encryption;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
}

/** What is remembered while the browser is away. */
interface SignInData {
  readonly returnTo: string | null;
}

interface RouteParts extends Pick<SignInParts, 'database' | 'sessions' | 'signIn'> {
  readonly limits: LoginLimits;
  readonly requests: AuthorizationRequests<SignInData>;
}

export function signInRoutes({ database, coordination, encryption, sessions, signIn }: SignInParts): BoundRoute[] {
  const { attempts } = coordination;
  const parts = {
    database,
    sessions,
    signIn,
    limits: createLoginLimits(coordination),
    requests: createAuthorizationRequests<SignInData>('sign_in', { encryption, attempts }),
  };
  return [bindListSignInProviders, bindStartSignIn, bindFinishSignIn].map((bindRoute) => bindRoute(parts));
}

const bindListSignInProviders = ({ signIn }: RouteParts): BoundRoute =>
  bind(listSignInProviders, async () => ({ data: { providers: [...(await signIn.names())] } }));

const bindStartSignIn = ({ limits, requests, signIn }: RouteParts): BoundRoute =>
  bind(startSignIn, async ({ params, query, clientIp }) => {
    await limits.countRequest(clientIp);
    const provider = await findProviderOrThrow(signIn, params.provider);
    const callback = callbackOrThrow(provider);
    const data = { returnTo: checkReturnPathOrThrow(query.return_to, callback) };
    const { location, cookie } = await requests.start(signIn.clients.of(provider), { callback, data });
    return { text: '', headers: { location: location.href, 'set-cookie': cookie } };
  });

const bindFinishSignIn = ({ database, limits, requests, signIn, sessions }: RouteParts): BoundRoute =>
  bind(finishSignIn, async (call) => {
    const { params, query, clientIp } = call;
    await limits.countRequest(clientIp);
    const path = `/api/v1/auth/oauth/callback/${encodeURIComponent(params.provider)}`;
    const response = await requests.finish(path, call.cookie, answerIn(query));
    const provider = await signIn.findByKey(response.providerKey);
    if (provider === undefined) throw new GatewayError('invalid_state');
    const told: { provider: string; email?: string } = { provider: provider.name };
    try {
      const client = signIn.clients.of(provider);
      const tokens = await response.exchange(client);
      const identity = await client.identify(tokens).catch((error: unknown) => {
        throw providerRefusal(provider.name, error);
      });
      const email = identity.email !== undefined && address.test(identity.email) ? identity.email : undefined;
      if (email !== undefined && identity.emailVerified) told.email = email;
      const user = await findUserOrThrow(database, told.email, clientIp);
      const token = await sessions.start(user, provider.name);
      const lastLogin = await noteLogin(database, user.id, clientIp);
      const resource = { type: 'user', id: user.id, name: user.username };
      const signedIn = { ...call, caller: { kind: 'user', ...user } } as const;
      await recordAudit(database.kysely, auditEntry(signedIn, { event: 'auth.login', resource, details: told }));
      return {
        data: { ...token, user: renderUser({ ...user, last_login_at: lastLogin }), return_to: response.data.returnTo },
        headers: { 'set-cookie': response.clearCookie },
      };
    } catch (error) {
      if (error instanceof GatewayError) await noteFailure(database, call, error, told);
      throw error;
    }
  });

async function findProviderOrThrow(signIn: SignIn, name: string): Promise<OAuthProvider> {
  const provider = await signIn.findByName(name);
  if (provider === undefined) throw new GatewayError('not_found', { message: describeProviders(await signIn.names()) });
  return provider;
}

/** A gateway that does not know its own address can send no browser away and back. */
function callbackOrThrow({ callback, name }: OAuthProvider): URL {
  if (callback !== undefined) return callback;
  const message = `OAUTH_REDIRECT_BASE_URL is not set, and the provider ${name} has no redirect_uri`;
  throw new GatewayError('service_unavailable', { message });
}

/** The user whose address the provider verified. No user is made here: an admin decides who there is. */
async function findUserOrThrow(database: Database, email: string | undefined, clientIp: string) {
  if (email === undefined) throw new GatewayError('email_unverified');
  const user = await findUserOfAddress(database, email, clientIp);
  if (user === undefined) throw new GatewayError('unknown_sign_in_user');
  return user;
}

const noteFailure = ({ kysely }: Database, call: AuditedCall, error: GatewayError, details: object) =>
  recordAudit(
    kysely,
    auditEntry(call, {
      event: 'auth.login.failed',
      action: 'login',
      result: 'failure',
      resource: null,
      details: { ...details },
      error_message: error.entry.text,
    }),
  );

/** As the API takes one of a user: what else a provider calls an address is in no log, and asked for nowhere. */
const address = /^(?=.{3,254}$)[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+$/u;

const describeProviders = (names: Iterable<string>): string => {
  const list = [...names].join(', ');
  return list === '' ? 'No sign-in provider is configured' : `Users can sign in with: ${list}`;
};

/** What a provider may tell in the address; what else it adds is nothing to us. */
const answerIn = ({ code, state, iss, error }: BroughtBack): BroughtBack => ({ code, state, iss, error });

/** The author of a link to the sign-in must not choose where on the web it ends. */
function checkReturnPathOrThrow(path: string | undefined, callback: URL): string | null {
  if (path === undefined) return null;
  const isOurs = path.startsWith('/') && URL.canParse(path, callback.href);
  if (!isOurs || /[\\\p{Cc}]/u.test(path) || new URL(path, callback).origin !== callback.origin) {
    throw new GatewayError('bad_request', {
      problems: [{ path: '/query/return_to', rule: 'must be a path on this gateway, such as /dashboard' }],
    });
  }
  return path;
}

import { finishSignIn, listSignInProviders, startSignIn } from '@portcullis/contracts/routes/sign-in';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } from 'oauth4webapi';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { createLoginLimits, type LoginLimits } from '../auth/login-limits.ts';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { findUserOfAddress, noteLogin, renderUser } from '@portcullis/platform/identity/user-queries';
import { providerRefusal } from './provider-refusal.ts';
import type { SignIn } from './sign-in.ts';
import { clearTicket, createSignInTickets, type SignInTickets } from './sign-in-ticket.ts';

export interface SignInParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'buckets' | 'attempts'>;
  readonly encryption: Encryption;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
}

interface RouteParts extends Pick<SignInParts, 'database' | 'sessions'>, Pick<SignIn, 'providers'> {
  readonly limits: LoginLimits;
  readonly tickets: SignInTickets;
}

export function signInRoutes({ database, coordination, encryption, sessions, signIn }: SignInParts): BoundRoute[] {
  const parts = {
    database,
    sessions,
    providers: signIn.providers,
    limits: createLoginLimits(coordination),
    tickets: createSignInTickets(encryption, coordination.attempts),
  };
  return [bindListSignInProviders, bindStartSignIn, bindFinishSignIn].map((bindRoute) => bindRoute(parts));
}

const bindListSignInProviders = ({ providers }: RouteParts): BoundRoute =>
  bind(listSignInProviders, () => ({ data: { providers: [...providers.keys()] } }));

const bindStartSignIn = ({ limits, tickets, providers }: RouteParts): BoundRoute =>
  bind(startSignIn, async ({ params, query, clientIp }) => {
    await limits.countRequest(clientIp);
    const provider = findProviderOrThrow(providers, params.provider);
    const returnTo = checkReturnPathOrThrow(query.return_to, provider.callback);
    const secrets = {
      state: generateRandomState(),
      nonce: generateRandomNonce(),
      verifier: generateRandomCodeVerifier(),
    };
    const url = await provider.authorizationUrl(secrets).catch((error: unknown) => {
      throw providerRefusal(provider.name, error);
    });
    const cookie = tickets.issue(provider.name, { ...secrets, returnTo }, provider.callback);
    return { text: '', headers: { location: url.href, 'set-cookie': cookie } };
  });

const bindFinishSignIn = ({ database, limits, tickets, providers, sessions }: RouteParts): BoundRoute =>
  bind(finishSignIn, async (call) => {
    const { params, query, clientIp } = call;
    await limits.countRequest(clientIp);
    const provider = findProviderOrThrow(providers, params.provider);
    const ticket = await tickets.take(provider.name, call.cookie, query.state);
    const told: { provider: string; email?: string } = { provider: provider.name };
    try {
      const verified = await provider.findVerifiedEmail(readAnswer(query), ticket).catch((error: unknown) => {
        throw providerRefusal(provider.name, error);
      });
      const email = verified !== undefined && address.test(verified) ? verified : undefined;
      if (email !== undefined) told.email = email;
      const user = await findUserOrThrow(database, email, clientIp);
      const token = await sessions.start(user, provider.name);
      const lastLogin = await noteLogin(database, user.id, clientIp);
      const resource = { type: 'user', id: user.id, name: user.username };
      const signedIn = { ...call, caller: { kind: 'user', ...user } } as const;
      await recordAudit(database.kysely, auditEntry(signedIn, { event: 'auth.login', resource, details: told }));
      return {
        data: { ...token, user: renderUser({ ...user, last_login_at: lastLogin }), return_to: ticket.returnTo },
        headers: { 'set-cookie': clearTicket(provider.callback) },
      };
    } catch (error) {
      if (error instanceof GatewayError) await noteFailure(database, call, error, told);
      throw error;
    }
  });

function findProviderOrThrow(providers: SignIn['providers'], name: string) {
  const provider = providers.get(name);
  if (provider === undefined) throw new GatewayError('not_found', { message: describeProviders(providers.keys()) });
  return provider;
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
const readAnswer = (query: Readonly<Partial<Record<'code' | 'state' | 'iss' | 'error', string>>>): URLSearchParams =>
  new URLSearchParams(
    (['code', 'state', 'iss', 'error'] as const).flatMap((name) =>
      query[name] === undefined ? [] : [[name, query[name]]],
    ),
  );

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

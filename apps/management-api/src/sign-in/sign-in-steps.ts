import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import type { Call } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { BrowserSessions } from '@portcullis/platform/identity/browser-sessions';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { saveLogin, renderUser, type UserToLogIn } from '@portcullis/platform/identity/user-queries';
import type { AuthorizationRequests, BroughtBack } from '@portcullis/platform/oauth/authorization-requests';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import type { RouteParts } from '@portcullis/contracts/route';
import { admitFromProvider, type SignInDetails } from './admit-from-provider.ts';
import { reasonOf } from './admit-user.ts';
import { checkReturnPathOrThrow, renderReturnAddress } from './return-path.ts';
import { renderSignInPage } from './sign-in-page.ts';
import type { SignIn } from './sign-in.ts';

/** What is remembered while the browser is away. */
export interface SignInData {
  readonly returnTo: string | null;
  /** The browser is given a session of its own, and no token. */
  readonly wantsCookie?: boolean;
}

export interface StepParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
  readonly signIn: SignIn;
  readonly requests: AuthorizationRequests<SignInData>;
}

/** Sends a browser away to sign in. */
export async function redirectToProvider(
  { database, requests, signIn }: StepParts,
  call: AuditedCall,
  provider: OAuthProvider,
  { returnTo, wantsCookie = false }: { readonly returnTo: string | undefined; readonly wantsCookie?: boolean },
) {
  const callback = callbackOrThrow(provider);
  const data = { returnTo: checkReturnPathOrThrow(returnTo, callback, '/query/return_to'), wantsCookie };
  const { location, cookie } = await requests.start(signIn.clients.of(provider), { callback, data });
  await recordAudit(
    database.kysely,
    auditEntry(call, {
      event: 'auth.login.started',
      resource: { type: 'oauth_provider', id: provider.id ?? null, name: provider.name },
    }),
  );
  return { text: '', headers: { location: location.href, 'set-cookie': cookie } };
}

type Returning = AuditedCall &
  Pick<Call<RouteParts>, 'cookie' | 'header' | 'browser'> & { readonly query: BroughtBack & { format?: string } };

/**
 * Takes a browser back and signs its user in.
 * @param path of the callback on which it came
 */
export async function completeSignIn(parts: StepParts, call: Returning, path: string) {
  const { database, requests, signIn, sessions, browserSessions } = parts;
  const response = await requests.finish(path, call.cookie, broughtBack(call.query));
  const provider = await signIn.findByKey(response.providerKey);
  if (provider === undefined) throw new GatewayError('invalid_state');
  const signInDetails: SignInDetails = { provider: provider.name };
  try {
    const client = signIn.clients.of(provider);
    const tokens = await response.exchange(client);
    const user = await admitFromProvider(database, call, client, tokens, signInDetails);
    const { returnTo, wantsCookie = false } = response.data;
    const begin = <Session>(start: (known: UserToLogIn) => Promise<Session>) =>
      beginSession(database, call, user, signInDetails, start);
    if (wantsCookie) {
      const { session } = await begin((known) => browserSessions.open(known, call.browser, call, provider));
      const headers = { 'set-cookie': [response.clearCookie, session.setCookie] };
      return { redirect: renderReturnAddress(returnTo, callbackOrThrow(provider)), headers };
    }
    const { session, lastLogin } = await begin((known) => sessions.start(known, call, provider));
    const data = { ...renderSession(session, user, lastLogin), return_to: returnTo };
    const answer = wantsPage(call) ? renderSignInPage(data) : { data };
    return { ...answer, headers: { 'set-cookie': response.clearCookie } };
  } catch (error) {
    if (error instanceof GatewayError) await recordFailure(database, call, error, signInDetails);
    throw error;
  }
}

async function beginSession<Session>(
  database: Database,
  call: Returning,
  user: UserToLogIn,
  signInDetails: SignInDetails,
  start: (user: UserToLogIn) => Promise<Session>,
) {
  const session = await start(user);
  const lastLogin = await saveLogin(database, user.id, call.clientIp);
  const resource = { type: 'user', id: user.id, name: user.username };
  const signedIn = { ...call, caller: { kind: 'user', ...user } } as const;
  await recordAudit(
    database.kysely,
    auditEntry(signedIn, { event: 'auth.login', resource, details: { ...signInDetails } }),
  );
  return { session, lastLogin };
}

const renderSession = (
  { tokenId, ...token }: Awaited<ReturnType<Sessions['start']>>,
  user: UserToLogIn,
  lastLogin: Date | null,
) => ({
  ...token,
  session_token: token.token,
  jwt_id: tokenId,
  user_identity: user.username,
  user_email: user.email,
  user_name: user.username,
  user: renderUser({ ...user, last_login_at: lastLogin }),
});

/** Browsers ask for HTML by name; what takes anything is a program. */
export const wantsPage = ({ query, header }: Pick<Returning, 'query' | 'header'>): boolean =>
  query.format !== 'json' && /\btext\/html\b/i.test(header?.('accept') ?? '');

/** A gateway that does not know its own address can send no browser away and back. */
export function callbackOrThrow({ callback, name }: OAuthProvider): URL {
  if (callback !== undefined) return callback;
  const message = `OAUTH_REDIRECT_BASE_URL is not set, and the provider ${name} has no redirect_uri`;
  throw new GatewayError('service_unavailable', { message });
}

const recordFailure = ({ kysely }: Database, call: AuditedCall, error: GatewayError, details: SignInDetails) =>
  recordAudit(
    kysely,
    auditEntry(call, {
      event: 'auth.login.failed',
      action: 'login',
      result: 'failure',
      resource: null,
      details: { ...details },
      error_message: reasonOf(error),
    }),
  );

/** What a provider may tell in the address; what else it adds is nothing to us. */
const broughtBack = ({ code, state, iss, error }: BroughtBack): BroughtBack => ({ code, state, iss, error });

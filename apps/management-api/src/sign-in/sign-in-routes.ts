import { finishOAuthLogin } from '@portcullis/contracts/routes/oauth-login';
import { finishSignIn, listSignInProviders, startSignIn } from '@portcullis/contracts/routes/sign-in';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Identity } from '@portcullis/platform/identity/identity';
import type { BrowserSessions } from '@portcullis/platform/identity/browser-sessions';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { createAuthorizationRequests } from '@portcullis/platform/oauth/authorization-requests';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import { createRequestLimit, type RequestLimit } from '@portcullis/platform/oauth/request-limit';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { beginLoginRoutes } from './begin-login-routes.ts';
import { sessionTokenRoutes } from './session-token-routes.ts';
import { redirectToProvider, completeSignIn, wantsPage, type SignInData, type StepParts } from './sign-in-steps.ts';
import { renderRefusalPage } from './sign-in-page.ts';
import type { SignIn } from './sign-in.ts';

export interface SignInParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'buckets' | 'attempts'>;
  readonly encryption: Encryption;
  readonly identity: Identity;
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
  readonly signIn: SignIn;
}

interface RouteParts extends StepParts {
  readonly limits: RequestLimit;
}

export function signInRoutes(given: SignInParts): BoundRoute[] {
  const { coordination, encryption } = given;
  const { attempts } = coordination;
  const parts = {
    ...given,
    limits: createRequestLimit(coordination.buckets, 'sign-in'),
    requests: createAuthorizationRequests<SignInData>('sign_in', { encryption, attempts }),
  };
  return [
    ...[bindListSignInProviders, bindStartSignIn, bindFinishSignIn, bindFinishOAuthLogin].map((bindRoute) =>
      bindRoute(parts),
    ),
    ...beginLoginRoutes(parts),
    ...sessionTokenRoutes(parts),
  ];
}

const bindListSignInProviders = ({ signIn }: RouteParts): BoundRoute =>
  bind(listSignInProviders, async () => ({ data: { providers: [...(await signIn.names())] } }));

const bindStartSignIn = (parts: RouteParts): BoundRoute =>
  bind(startSignIn, async (call) => {
    const { limits, signIn } = parts;
    await limits.countRequest(call.clientIp);
    const provider = await findProviderOrThrow(signIn, call.params.provider);
    const { return_to: returnTo, session } = call.query;
    return redirectToProvider(parts, call, provider, { returnTo, wantsCookie: session === 'cookie' });
  });

/** The callback of one provider. */
const bindFinishSignIn = (parts: RouteParts): BoundRoute =>
  bind(finishSignIn, async (call) => {
    await parts.limits.countRequest(call.clientIp);
    await findProviderOrThrow(parts.signIn, call.params.provider);
    const path = `/api/v1/auth/oauth/callback/${encodeURIComponent(call.params.provider)}`;
    return completeSignIn(parts, call, path).catch((error: unknown) => refuseWithPage(error, call));
  });

/** The one for all. */
const bindFinishOAuthLogin = (parts: RouteParts): BoundRoute =>
  bind(finishOAuthLogin, async (call) => {
    await parts.limits.countRequest(call.clientIp);
    const path = '/api/v1/oauth/callback';
    return completeSignIn(parts, call, path).catch((error: unknown) => refuseWithPage(error, call));
  });

/** A person is told on a page what went wrong. */
function refuseWithPage(error: unknown, call: Parameters<typeof wantsPage>[0]): never {
  if (!(error instanceof GatewayError) || !wantsPage(call)) throw error;
  throw new GatewayError(error.reason, { ...error.details, page: renderRefusalPage(error) });
}

async function findProviderOrThrow(signIn: SignIn, name: string): Promise<OAuthProvider> {
  const provider = await signIn.findByName(name);
  if (provider === undefined) throw new GatewayError('not_found', { message: describeProviders(await signIn.names()) });
  return provider;
}

const describeProviders = (names: Iterable<string>): string => {
  const list = [...names].join(', ');
  return list === '' ? 'No sign-in provider is configured' : `Users can sign in with: ${list}`;
};

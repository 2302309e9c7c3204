import { beginOAuthLogin, beginOAuthLoginWith, openOAuthLogin } from '@portcullis/contracts/routes/oauth-login';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import type { RequestLimit } from '@portcullis/platform/oauth/request-limit';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { checkReturnPathOrThrow } from './return-path.ts';
import { callbackOrThrow, redirectToProvider, type StepParts } from './sign-in-steps.ts';

interface Parts extends StepParts {
  readonly encryption: Encryption;
  readonly limits: RequestLimit;
}

/** What an address to sign in with says. Nothing in it is a secret of the login: that begins where it is opened. */
interface Invitation {
  readonly providerKey: string;
  readonly returnTo: string | null;
  readonly expiresAtMs: number;
}

const context = 'address to sign in with';
const lifetimeMs = 600_000;

/** For programs that ask for an address and open it in a browser. */
export const beginLoginRoutes = (parts: Parts): BoundRoute[] => [
  bind(beginOAuthLogin, async ({ body, clientIp }) => ({
    data: await begin(parts, clientIp, body.provider_id, body.redirect_uri),
  })),

  bind(beginOAuthLoginWith, async ({ params, body, clientIp }) => ({
    data: await begin(parts, clientIp, params.provider_id, body.redirect_uri),
  })),

  bind(openOAuthLogin, async (call) => {
    const { limits, signIn, encryption } = parts;
    await limits.countRequest(call.clientIp);
    const { providerKey, returnTo, expiresAtMs } = openOrThrow(encryption, call.query.state);
    const provider = await signIn.findByKey(providerKey);
    if (provider === undefined || Date.now() >= expiresAtMs) throw new GatewayError('invalid_state');
    return redirectToProvider(parts, call, provider, { returnTo: returnTo ?? undefined });
  }),
];

async function begin(
  { limits, signIn, encryption }: Parts,
  clientIp: string,
  providerId: number,
  redirectUri: string | undefined,
) {
  await limits.countRequest(clientIp);
  const provider = await signIn.findByKey(String(providerId));
  if (provider === undefined) {
    throw new GatewayError('not_found', { message: `Users cannot sign in with an OAuth provider ${providerId}` });
  }
  const callback = callbackOrThrow(provider);
  // Clients of other gateways name the callback itself here.
  const path = redirectUri === callback.href ? undefined : redirectUri;
  const returnTo = checkReturnPathOrThrow(path, callback, '/body/redirect_uri');
  const state = sealInvitation(encryption, provider, returnTo);
  const url = new URL(callback.href.replace(/\/api\/v1\/.*/, '/api/v1/oauth/start'));
  url.searchParams.set('state', state);
  return { auth_url: url.href, authorization_url: url.href, state };
}

const sealInvitation = (encryption: Encryption, { key }: OAuthProvider, returnTo: string | null): string => {
  const invitation: Invitation = { providerKey: key, returnTo, expiresAtMs: Date.now() + lifetimeMs };
  return encryption.encrypt(JSON.stringify(invitation), context);
};

function openOrThrow(encryption: Encryption, sealed: string): Invitation {
  try {
    return JSON.parse(encryption.decrypt(sealed, context)) as Invitation;
  } catch {
    throw new GatewayError('invalid_state');
  }
}

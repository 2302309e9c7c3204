import type { Attempts } from '@portcullis/platform/coordination/coordination';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { createHash, timingSafeEqual } from 'node:crypto';

/** What a sign-in must know when the browser comes back. */
export interface SignInTicket {
  readonly state: string;
  readonly nonce: string;
  /** Secret of PKCE. */
  readonly verifier: string;
  readonly returnTo: string | null;
  readonly expiresAtMs: number;
}

/** Keeps tickets in a cookie that only this gateway can read and make, so that a sign-in ends in the browser it began in. */
export interface SignInTickets {
  /** The header Set-Cookie. */
  issue(provider: string, ticket: Omit<SignInTicket, 'expiresAtMs'>, callback: URL): string;
  /**
   * Takes the ticket, once.
   * @throws {GatewayError} `invalid_state`; `service_unavailable` when it is not known whether it was taken before
   */
  take(provider: string, cookies: string | undefined, state: string | undefined): Promise<SignInTicket>;
}

const cookieName = 'portcullis_sign_in';
const lifetimeMs = 600_000;

/** The second attempt must wait until the ticket is nothing any more. */
const once = { freeAttempts: 1, firstDelayMs: lifetimeMs, maxDelayMs: lifetimeMs, forgetAfterMs: lifetimeMs };

export const createSignInTickets = (encryption: Encryption, attempts: Attempts): SignInTickets => ({
  issue(provider, ticket, callback) {
    const sealed = encryption.encrypt(
      JSON.stringify({ ...ticket, expiresAtMs: Date.now() + lifetimeMs } satisfies SignInTicket),
      contextOf(provider),
    );
    return renderCookie(sealed, callback, lifetimeMs / 1_000);
  },

  async take(provider, cookies, state) {
    const tickets = sealedTicketsIn(cookies).map((sealed) => open(encryption, sealed, provider));
    const ticket = tickets.find((candidate) => candidate !== undefined && isSame(candidate.state, state ?? ''));
    if (ticket === undefined || Date.now() >= ticket.expiresAtMs) throw new GatewayError('invalid_state');
    if (!(await isFirstUse(attempts, ticket.state))) throw new GatewayError('invalid_state');
    return ticket;
  },
});

/** Takes the cookie of a sign-in back that is over. */
export const clearTicket = (callback: URL): string => renderCookie('', callback, 0);

/** Sent to this one callback only, so that sign-ins with two providers do not disturb each other. */
const renderCookie = (value: string, callback: URL, maxAgeS: number): string =>
  [
    `${cookieName}=${value}`,
    `Path=${callback.pathname}`,
    `Max-Age=${maxAgeS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(callback.protocol === 'https:' ? ['Secure'] : []),
  ].join('; ');

const contextOf = (provider: string): string => `sign-in with ${provider}`;

const sealedTicketsIn = (cookies = ''): readonly string[] =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1))
    .slice(0, 4);

function open(encryption: Encryption, sealed: string, provider: string): SignInTicket | undefined {
  try {
    return JSON.parse(encryption.decrypt(sealed, contextOf(provider))) as SignInTicket;
  } catch {
    // Another client's, of another provider, or made before the key changed: all the same to us.
    return undefined;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

async function isFirstUse(attempts: Attempts, state: string): Promise<boolean> {
  try {
    return (await attempts.begin(`sign-in:${digest(state).toString('base64url')}`, once)).allowed;
  } catch (cause) {
    throw new GatewayError('service_unavailable', { message: 'Signing in is not possible right now', cause });
  }
}

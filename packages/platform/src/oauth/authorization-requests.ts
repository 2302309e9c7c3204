import { createHash, timingSafeEqual } from 'node:crypto';
import { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } from 'oauth4webapi';
import type { AttemptLimiter } from '../coordination/coordination.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { cookiesNamed } from '../http/read-cookies.ts';
import type { Encryption } from '../security/encryption.ts';
import type { AuthorizationSecrets, MoreParameters, ProviderClient } from './provider-client.ts';
import { providerRefusal } from './provider-refusal.ts';
import type { Tokens } from './tokens.ts';

/** Why a browser is sent to a provider, and what to remember until it is back. */
export interface AuthorizationRequest<Data> {
  /** Where the provider sends the browser back to. */
  readonly callback: URL;
  /** Comes back with the browser; sealed meanwhile. Anything that JSON can say. */
  readonly data: Data;
  readonly scopes?: readonly string[];
  readonly more?: MoreParameters;
}

/** A browser that is back. */
export interface AuthorizationResponse<Data> {
  /** `key` of the provider that it was sent to. */
  readonly providerKey: string;
  readonly data: Data;
  /** The header Set-Cookie that takes the cookie back. */
  readonly clearCookie: string;
  /**
   * Exchanges what the browser brought, at the provider that it was sent to.
   * @throws {GatewayError} `sign_in_denied`, `provider_failed`
   */
  exchange(client: ProviderClient, more?: MoreParameters): Promise<Tokens>;
}

/** What the provider may tell in the address. */
export type BroughtBack = Readonly<Partial<Record<'code' | 'state' | 'iss' | 'error', string | undefined>>>;

/**
 * Sends browsers to providers and takes them back: what has to be known then stands in a cookie that only this gateway can
 * read and make, so that it ends in the browser in which it began, and at any replica.
 */
export interface AuthorizationRequests<Data> {
  /** @throws {GatewayError} `provider_failed` */
  start(
    client: ProviderClient,
    request: AuthorizationRequest<Data>,
  ): Promise<{ readonly location: URL; readonly cookie: string }>;
  /**
   * Takes a browser back, once.
   * @param callbackPath on which it came; a reverse proxy may have taken off what stands before it
   * @throws {GatewayError} `invalid_state`; `service_unavailable` when it is not known whether it came before
   */
  finish(callbackPath: string, cookies: string | undefined, brought: BroughtBack): Promise<AuthorizationResponse<Data>>;
}

interface Ticket<Data> extends AuthorizationSecrets {
  readonly providerKey: string;
  readonly callback: string;
  readonly scopes?: readonly string[] | undefined;
  readonly data: Data;
  readonly expiresAtMs: number;
}

const lifetimeMs = 600_000;

/** The second attempt must wait until the ticket is nothing any more. */
const once = { freeAttempts: 1, firstDelayMs: lifetimeMs, maxDelayMs: lifetimeMs, forgetAfterMs: lifetimeMs };

/** @param purpose names the cookie: what was begun for one purpose is nothing for another. Letters and `_` */
export function createAuthorizationRequests<Data>(
  purpose: string,
  { encryption, attempts }: { readonly encryption: Encryption; readonly attempts: AttemptLimiter },
): AuthorizationRequests<Data> {
  const cookieName = `portcullis_${purpose}`;
  const context = `authorization request: ${purpose}`;

  const open = (sealed: string): Ticket<Data> | undefined => {
    try {
      return JSON.parse(encryption.decrypt(sealed, context)) as Ticket<Data>;
    } catch {
      // Another client's, for another purpose, or made before the key changed: all the same to us.
      return undefined;
    }
  };

  return {
    async start(client, { callback, data, scopes, more }) {
      const secrets = {
        state: generateRandomState(),
        nonce: generateRandomNonce(),
        verifier: generateRandomCodeVerifier(),
      };
      const { key, name } = client.provider;
      const location = await client.authorizationUrl({ secrets, callback, scopes, more }).catch((error: unknown) => {
        throw providerRefusal(name, error);
      });
      const expiresAtMs = Date.now() + lifetimeMs;
      const ticket: Ticket<Data> = { ...secrets, scopes, providerKey: key, callback: callback.href, data, expiresAtMs };
      const sealed = encryption.encrypt(JSON.stringify(ticket), context);
      return { location, cookie: renderCookie(cookieName, sealed, callback, lifetimeMs / 1_000) };
    },

    async finish(callbackPath, cookies, brought) {
      const ticket = cookiesNamed(cookies, cookieName)
        .map(open)
        .find((candidate) => candidate !== undefined && isSame(candidate.state, brought.state ?? ''));
      if (ticket === undefined || Date.now() >= ticket.expiresAtMs) throw new GatewayError('invalid_state');
      const callback = new URL(ticket.callback);
      // Each provider has a callback of its own: what comes back on another one is not its answer.
      if (!callback.pathname.endsWith(callbackPath)) throw new GatewayError('invalid_state');
      await useOnceOrThrow(attempts, ticket.state);
      return {
        providerKey: ticket.providerKey,
        data: ticket.data,
        clearCookie: renderCookie(cookieName, '', callback, 0),
        async exchange(client, more) {
          if (client.provider.key !== ticket.providerKey) throw new GatewayError('invalid_state');
          const { scopes } = ticket;
          const parameters = { brought: parametersOf(brought), secrets: ticket, callback, scopes, more };
          return client.exchange(parameters).catch((error: unknown) => {
            throw providerRefusal(client.provider.name, error);
          });
        },
      };
    },
  };
}

/** Sent to this one callback only, so that requests to two providers do not disturb each other. */
const renderCookie = (name: string, value: string, callback: URL, maxAgeS: number): string =>
  [
    `${name}=${value}`,
    `Path=${callback.pathname}`,
    `Max-Age=${maxAgeS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(callback.protocol === 'https:' ? ['Secure'] : []),
  ].join('; ');

const parametersOf = (brought: BroughtBack): URLSearchParams =>
  new URLSearchParams(Object.entries(brought).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

async function useOnceOrThrow(attempts: AttemptLimiter, state: string): Promise<void> {
  const begin = async () => attempts.begin(`authorization:${digest(state).toString('base64url')}`, once);
  const { allowed } = await begin().catch((cause: unknown) => {
    throw new GatewayError('service_unavailable', { message: 'Signing in is not possible right now', cause });
  });
  if (!allowed) throw new GatewayError('invalid_state');
}

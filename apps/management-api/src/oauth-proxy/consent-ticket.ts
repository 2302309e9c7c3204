import type { Encryption } from '@portcullis/platform/security/encryption';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PendingAuthorization } from './oauth-proxy-parts.ts';

/** What the page that asks sends back with the decision: the request as it was checked, bound to the browser that saw the page. */
interface Ticket extends PendingAuthorization {
  readonly browser: string;
  readonly expiresAtMs: number;
}

const context = 'oauth proxy: consent';
const cookieName = 'portcullis_consent';
const lifetimeMs = 600_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const browserCookie = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{43})(?:;|$)`);
const browserIn = (cookies: string | undefined): string | undefined => browserCookie.exec(cookies ?? '')?.[1];

/**
 * @param cookies of the request: a browser that has a page open keeps its cookie, so that both of its pages go on
 * @param base where browsers reach the gateway
 */
export function sealConsent(
  encryption: Encryption,
  request: PendingAuthorization,
  cookies: string | undefined,
  base: string,
): { readonly ticket: string; readonly cookie: string } {
  const browser = browserIn(cookies) ?? randomBytes(32).toString('base64url');
  const ticket: Ticket = {
    ...request,
    browser: digest(browser).toString('base64url'),
    expiresAtMs: Date.now() + lifetimeMs,
  };
  const { protocol, pathname } = new URL(`${base}/api/v1/oauth-proxy`);
  const cookie = [
    `${cookieName}=${browser}`,
    `Path=${pathname}`,
    `Max-Age=${lifetimeMs / 1_000}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ];
  return { ticket: encryption.encrypt(JSON.stringify(ticket), context), cookie: cookie.join('; ') };
}

/** Undefined for a ticket that is not ours, is over, or was made for another browser. */
export function openConsent(
  encryption: Encryption,
  sealed: string,
  cookies: string | undefined,
): PendingAuthorization | undefined {
  const ticket = decrypt(encryption, sealed);
  const browser = browserIn(cookies);
  if (ticket === undefined || browser === undefined || Date.now() >= ticket.expiresAtMs) return undefined;
  const { browser: bound, expiresAtMs: _over, ...request } = ticket;
  return timingSafeEqual(digest(browser), Buffer.from(bound, 'base64url')) ? request : undefined;
}

function decrypt(encryption: Encryption, sealed: string): Ticket | undefined {
  try {
    return JSON.parse(encryption.decrypt(sealed, context)) as Ticket;
  } catch {
    return undefined;
  }
}

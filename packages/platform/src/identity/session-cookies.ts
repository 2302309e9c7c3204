import { sessionCookies } from '@portcullis/contracts/browser-session';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { cookiesNamed } from '../http/read-cookies.ts';

/** What the cookie of a session says. Whether it still counts is for the session to say. */
export interface CookieClaims {
  readonly sessionId: string;
  /** One per cookie. */
  readonly cookieId: string;
}

/** Cookies of sessions, and the token that goes with all cookies of one: sealed, so that who reads the database has none. */
export interface SessionCookies {
  /** The header Set-Cookie. @param secure over https */
  render(claims: CookieClaims, maxAgeS: number, secure: boolean): string;
  /** The header Set-Cookie that takes it back. */
  renderEnd(secure: boolean): string;
  /** @param header Cookie, as sent */
  find(header: string | undefined, secure: boolean): CookieClaims | undefined;
  csrfTokenOf(sessionId: string): string;
  isCsrfToken(token: string, sessionId: string): boolean;
}

const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const form = new RegExp(`^(${uuid})\\.(${uuid})\\.([\\w-]{43})$`);

/** @param previous whose cookies and tokens count until they are replaced */
export function createSessionCookies(secret: string, previous?: string): SessionCookies {
  const secrets = [secret, ...(previous === undefined ? [] : [previous])];
  const cookieSeal = createSeal(secrets, 'session cookie');
  const csrfSeal = createSeal(secrets, 'csrf token');
  const render = (value: string, maxAgeS: number, secure: boolean): string =>
    [
      `${nameOf(secure)}=${value}`,
      'Path=/',
      `Max-Age=${maxAgeS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(secure ? ['Secure'] : []),
    ].join('; ');

  return {
    render({ sessionId, cookieId }, maxAgeS, secure) {
      const ids = `${sessionId}.${cookieId}`;
      return render(`${ids}.${cookieSeal.sign(ids)}`, maxAgeS, secure);
    },
    renderEnd: (secure) => render('', 0, secure),
    find(header, secure) {
      for (const value of cookiesNamed(header, nameOf(secure))) {
        const [, sessionId = '', cookieId = '', signature = ''] = form.exec(value) ?? [];
        if (cookieSeal.isGenuine(signature, `${sessionId}.${cookieId}`)) return { sessionId, cookieId };
      }
      return undefined;
    },
    csrfTokenOf: (sessionId) => csrfSeal.sign(sessionId),
    isCsrfToken: (token, sessionId) => csrfSeal.isGenuine(token, sessionId),
  };
}

const nameOf = (secure: boolean): string => (secure ? sessionCookies.secure : sessionCookies.clear);

function createSeal(secrets: readonly string[], purpose: string) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  const digests = (text: string): Buffer[] => keys.map((key) => createHmac('sha256', key).update(text).digest());
  return {
    sign: (text: string): string => digests(text)[0]?.toString('base64url') ?? '',
    isGenuine(signature: string, text: string): boolean {
      const sent = Buffer.from(signature, 'base64url');
      return digests(text).some((one) => sent.length === one.length && timingSafeEqual(sent, one));
    },
  };
}

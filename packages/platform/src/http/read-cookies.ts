import { sessionCookies } from '@portcullis/contracts/browser-session';

/** A browser sends one of each name and path; more are of somebody who tries. */
const maxOfName = 4;

/** The values of a name in the header Cookie, in their order. */
export const cookiesNamed = (header: string | undefined, name: string): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1))
    .slice(0, maxOfName);

/** The header without the cookie of a browser's session, which opens the management API; empty when that was all. */
export const withoutSessionCookie = (header: string): string =>
  header.includes(sessionCookies.clear)
    ? header
        .split(';')
        .map((cookie) => cookie.trim())
        .filter((cookie) => !names.has(cookie.split('=', 1)[0]?.trim() ?? ''))
        .join('; ')
    : header;

const names: ReadonlySet<string> = new Set(Object.values(sessionCookies));

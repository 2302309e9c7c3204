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

/** With what browsers leave out before a name, or take for one without a name and send back as it is. */
const ownName = /^[\s=]*(?:__(?:Host|Secure|Http|Host-Http)-)?portcullis_/i;

/** The values of the header Set-Cookie that set no cookie of the gateway; undefined where none is left. */
export function withoutOwnCookies(values: string | readonly string[] | undefined): string[] | undefined {
  const others = [values ?? []].flat().filter((value) => !ownName.test(value));
  return others.length === 0 ? undefined : others;
}

import { GatewayError } from '@portcullis/platform/http/gateway-error';

/** What some readers take for a slash, a dot or the end of an address, and some do not. */
const unclear = /[\\\p{Cc}\p{Z}]|%(?:2e|2f|5c|0|1|7f)/iu;

/**
 * The author of a link to the sign-in must not choose where on the web it ends, nor at which of the applications that share
 * the gateway's host: below the gateway's own address alone.
 * @param at where the path stands in the request
 */
export function checkReturnPathOrThrow(path: string | undefined, callback: URL, at: string): string | null {
  if (path === undefined) return null;
  if (!isOwnPath(path, callback)) {
    const rule = `must be a path on this gateway, such as ${gatewayPathOf(callback)}console/`;
    throw new GatewayError('bad_request', { problems: [{ path: at, rule }] });
  }
  return path;
}

/** Where a browser that signed in goes on, as a whole address: of a path alone `//host` would be another host. */
export const renderReturnAddress = (path: string | null, callback: URL): string =>
  new URL(path !== null && isOwnPath(path, callback) ? path : `${gatewayPathOf(callback)}console/`, callback).href;

function isOwnPath(path: string, callback: URL): boolean {
  if (!path.startsWith('/') || !URL.canParse(path, callback.href)) return false;
  const { origin, pathname } = new URL(path, callback);
  const [written = ''] = path.split(/[?#]/, 1);
  // What a browser makes of it begins as it is written: no dots climb out of the gateway's place.
  const isClear = !unclear.test(written) && !/[\\\p{Cc}]/u.test(path) && !/\/\/|\/\.{1,2}(?:\/|$)/.test(written);
  return isClear && origin === callback.origin && pathname.startsWith(gatewayPathOf(callback));
}

/** The path below which browsers reach the gateway, with a slash at its end. */
const gatewayPathOf = ({ pathname }: URL): string => pathname.slice(0, pathname.indexOf('/api/v1/') + 1) || '/';

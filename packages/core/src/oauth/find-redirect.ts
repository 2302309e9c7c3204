import { isLoopbackHost } from './loopback-host.ts';

/**
 * The address to which a code may go: one of the registered ones, to the letter. Of one on the user's own machine the port may
 * differ, since programs there take the one that is free (RFC 8252, 7.3).
 * @returns what was asked for; undefined where it is not registered
 */
export function findRedirect(registered: readonly string[], wanted: string): string | undefined {
  const loopback = withoutLoopbackPort(wanted);
  const found = registered.some(
    (one) => one === wanted || (loopback !== undefined && withoutLoopbackPort(one) === loopback),
  );
  return found ? wanted : undefined;
}

const loopbackAddress = /^http:\/\/(\[::1\]|localhost|127\.0\.0\.1)(?::\d{1,5})?((?:[/?][^#\\\s]*)?)$/;

function withoutLoopbackPort(uri: string): string | undefined {
  const [, host = '', rest = ''] = loopbackAddress.exec(uri) ?? [];
  return isLoopbackHost(host) ? `${host}${rest}` : undefined;
}

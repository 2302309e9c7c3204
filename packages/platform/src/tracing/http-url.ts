import type { IncomingMessage } from 'node:http';

const maxLength = 1_024;

/** Scheme and authority by which the client called, for `renderHttpUrl`. */
export const originOf = ({ socket, headers }: IncomingMessage): string =>
  `${'encrypted' in socket ? 'https' : 'http'}://${headers.host ?? ''}`;

/**
 * A URL as spans show it: names of the query stay, their values do not, for any of them may be a
 * token. What is no name of a parameter is masked whole.
 * @param origin scheme and authority
 * @param target path and query, as the request line has them
 */
export function renderHttpUrl(origin: string, target: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query =
    queryAt === -1
      ? ''
      : `?${target
          .slice(queryAt + 1)
          .split('&', 32)
          .map(maskValue)
          .join('&')}`;
  // A request line may carry a whole URL, and that a password.
  return `${origin}${path.startsWith('/') ? path : '/'}${query}`.slice(0, maxLength);
}

const maskValue = (pair: string): string => {
  const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
  return /^[\w.[\]-]{1,64}$/.test(name) ? `${name}=*` : '*';
};

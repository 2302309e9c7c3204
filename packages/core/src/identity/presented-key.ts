import { hash } from 'node:crypto';

/** Headers in which clients of some API have their key, in the order in which they are looked at. */
export const keyHeaders = ['x-api-key', 'authorization', 'x-goog-api-key', 'api-key'] as const;
export type KeyHeader = (typeof keyHeaders)[number];

/** The one token a request presents, and the header that carried it, or the query. */
export interface PresentedKey {
  readonly token: string;
  readonly header: KeyHeader | 'query' | 'x-session-token';
}

type Headers = { readonly [name in KeyHeader]?: string | string[] | undefined };

const schemes = /^(?:bearer|apikey) +(\S+)\s*$/i;

/**
 * Finds the gateway key: `X-API-Key` first, then `Authorization: Bearer`, then `Authorization: ApiKey`.
 * Only the first present one counts, also when it turns out to be wrong.
 */
export function findPresentedKey(headers: Headers): PresentedKey | undefined {
  const direct = headers['x-api-key'];
  if (typeof direct === 'string' && direct !== '') return { token: direct, header: 'x-api-key' };
  const { authorization } = headers;
  const match = typeof authorization === 'string' ? schemes.exec(authorization) : null;
  return match === null ? undefined : { token: match[1] as string, header: 'authorization' };
}

/** The three parts of a signed token. */
const signedToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export const isSignedToken = (text: string): boolean => signedToken.test(text);

type AllHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The token of a session, in a header of its own. A key in `X-API-Key` comes before it: of two credentials in one request
 * only one counts.
 */
export function findSessionToken(headers: AllHeaders): string | undefined {
  const { 'x-session-token': token, 'x-api-key': key } = headers;
  const hasKey = typeof key === 'string' && key !== '';
  return typeof token === 'string' && !hasKey && isSignedToken(token) ? token : undefined;
}

/** What the client of a malformed one is told. */
export const bareToken = 'X-Session-Token takes the bare token, without a scheme or quotes';

/**
 * Whether the header of session tokens holds something else. It may be a token in another spelling, so it is refused,
 * whichever credential counts.
 */
export const isSessionMalformed = ({ 'x-session-token': token }: AllHeaders): boolean =>
  token !== undefined && (typeof token !== 'string' || !isSignedToken(token));

/**
 * The same for clients of LLM APIs, which have but one place for their key: behind the places above those
 * of Google's and Azure's clients, `x-goog-api-key`, `api-key` and `?key=`.
 * @param query with its question mark, empty without one
 */
export function findClientKey(headers: Headers, query: string): PresentedKey | undefined {
  const presented = findPresentedKey(headers);
  if (presented !== undefined) return presented;
  for (const header of ['x-goog-api-key', 'api-key'] as const) {
    const token = headers[header];
    if (typeof token === 'string' && token !== '') return { token, header };
  }
  const token = query === '' ? null : new URLSearchParams(query).get('key');
  return token === null || token === '' ? undefined : { token, header: 'query' };
}

/** The query without the parameters whose value is the token, the others as they stand. */
export function withoutKey(query: string, token: string): string {
  if (query === '') return query;
  const pairs = query.slice(1).split('&');
  const kept = pairs.filter((pair) => [...new URLSearchParams(pair).values()].every((value) => value !== token));
  return kept.length === pairs.length ? query : kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/**
 * SHA-256 of the whole token, hex: what is stored and looked up. A lookup by hash needs no
 * constant-time comparison, since what an attacker could learn from its timing is the hash.
 */
export const hashKey = (token: string): string => hash('sha256', token, 'hex');

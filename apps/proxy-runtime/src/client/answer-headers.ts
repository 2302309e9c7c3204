import type { IncomingHttpHeaders } from 'node:http';
import { withoutOwnCookies } from '@portcullis/platform/http/read-cookies';
import type { Exchange } from '../exchange/exchange.ts';
import { findHiddenHeaders } from '../inspection/answer-headers.ts';
import { renderChallenge } from '../identity/render-challenge.ts';
import type { AnswerAddress } from '../target/answer-addresses.ts';
import type { HeaderList } from '../http/header-list.ts';
import { isHopByHop, namedByConnection } from '../http/hop-by-hop.ts';

interface HeaderChanges {
  /** The body leaves as what its coding holds. */
  readonly isDecoded: boolean;
  /** The body may leave in another length than the target's. */
  readonly mayChange: boolean;
  /** What becomes of headers in which addresses stand. */
  readonly addresses: readonly AnswerAddress[];
}

/** The headers of a target's answer as its client gets them; those that policies keep here are left out. */
export function renderAnswerHeaders(
  exchange: Exchange,
  headers: IncomingHttpHeaders,
  { isDecoded, mayChange, addresses }: HeaderChanges,
): HeaderList {
  const hidden = findHiddenHeaders(exchange, headers);
  const named = namedByConnection(headers.connection);
  // A stream may end in an event of our own.
  const hidesLength = isDecoded || mayChange || String(headers['content-type']).startsWith('text/event-stream');
  const rendered: HeaderList = [];
  for (const name in headers) {
    if (isHopByHop(name) || named?.has(name) === true || hidden.has(name)) continue;
    if ((isDecoded && name === 'content-encoding') || (hidesLength && name === 'content-length')) continue;
    const address = addresses.find((candidate) => candidate.name === name);
    const value = address === undefined ? valueFor(headers, name) : address.value;
    if (value !== undefined) rendered.push(name, isOfProvider(exchange, name) ? ownChallenge(exchange, value) : value);
  }
  return rendered;
}

/** Browsers do not tell our ports apart: a target must not sign a person in to the gateway as somebody else, nor out. */
const valueFor = (headers: IncomingHttpHeaders, name: string): string | string[] | undefined =>
  name === 'set-cookie' ? withoutOwnCookies(headers[name]) : headers[name];

/** What the target says of a token that its client has never seen. */
const isOfProvider = ({ user }: Exchange, name: string): boolean =>
  name === 'www-authenticate' && user?.providerToken !== undefined;

/** The client gets a better one where it got its own, not at the target's authorization server. */
const ownChallenge = (exchange: Exchange, value: string | string[]): string | string[] =>
  renderChallenge(exchange, 'invalid_token') ?? value;

/** The same for fields that come behind the answer; undefined when none is left. */
export function renderAnswerTrailers(
  exchange: Exchange,
  trailers: IncomingHttpHeaders,
): IncomingHttpHeaders | undefined {
  let rendered: IncomingHttpHeaders | undefined;
  let hidden: ReadonlySet<string> | undefined;
  for (const name in trailers) {
    hidden ??= findHiddenHeaders(exchange, trailers);
    if (!isHopByHop(name) && name !== 'content-length' && !hidden.has(name)) (rendered ??= {})[name] = trailers[name];
  }
  return rendered;
}

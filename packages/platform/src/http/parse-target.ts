import type { IncomingMessage } from 'node:http';

/** What a request asks for, in the one spelling that everybody behind the public port reads alike. */
interface Target {
  /** Path and query of visible ASCII; or `*`. */
  readonly url: string;
  /** By which name the client called; undefined where it named none. */
  readonly host: string | undefined;
}

const problems = {
  host: 'The header Host must name one host, with or without a port',
  form: 'The request line must have a path, or an address that begins with http:// or https://',
  path: 'The path must not begin with two slashes, nor have a dot for a segment, a backslash, a fragment or blanks in it',
} as const;

/** A name or an address; empty where a client knows none. */
const authority = /^(?:(?:\[[\da-f:.]{2,45}\]|[\w.~-]{1,253})(?::\d{0,5})?)?$/i;
/** As clients send it to what they take for a forward proxy. */
const wholeAddress = /^https?:\/\/([^/?#\\]*)(.*)$/is;
/** With a character of its path or query that some readers cut off, change or take for another. */
const unclear = /[^!"$-~]/;
/** Servers of targets read an escaped slash as one, and climb. */
const climbing = /(?:\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:\/|%2f|%5c|$)/i;

/**
 * Reads what a request asks for as the standard has it, and nothing that readers disagree about: what `/a/../b`, `/a\b` or `/a#b`
 * is depends on who is asked, so one process could check another path than the one that the next answers. Bytes that are not
 * ASCII are escaped, as clients should have done. Escapes stay as they are: nobody resolves them before the path is divided.
 */
export function parseTarget({
  url = '',
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): Target | { readonly problem: string } {
  if (!namesOneHost(rawHeaders) || !authority.test(headers.host ?? '')) return { problem: problems.host };
  if (url === '*') return { url, host: headers.host };
  const whole = wholeAddress.exec(url);
  const [, host = headers.host, rest = url] = whole ?? [];
  if (!authority.test(host ?? '')) return { problem: problems.host };
  const target = escapeBytes(whole === null || rest.startsWith('/') ? rest : `/${rest}`);
  if (!target.startsWith('/')) return { problem: problems.form };
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const isClear = !unclear.test(target) && !path.startsWith('//') && !path.includes('\\') && !climbing.test(path);
  return isClear ? { url: target, host } : { problem: problems.path };
}

/** Node reads the first of several; what stands in front of it may read the last. */
function namesOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}

/** Node has the bytes of a request line as characters of the same number. */
const escapeBytes = (text: string): string =>
  /[\u0080-\u00ff]/.test(text)
    ? text.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
    : text;

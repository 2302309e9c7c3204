import { isLoopbackHost } from './loopback-host.ts';

/** Whether an address that a client registers may be one to which codes are sent. */
export type RedirectAdmission = (uri: string) => boolean;

/** What a pattern or an address comes to, taken apart as text: a pattern is no URL. */
interface Parts {
  readonly scheme: string;
  /** Lower case; may hold `*` in a pattern. */
  readonly host: string;
  /** Without the colon, empty without one; `*` in a pattern. */
  readonly port: string;
  /** Path and query, empty without. */
  readonly rest: string;
}

const shape =
  /^([a-z][a-z0-9+.-]{0,63}):\/\/(\[[0-9a-f:.]{2,45}\]|[^/?#@:[\]\\\s]*)(?::(\d{1,5}|\*))?((?:[/?][^#\\\s]*)?)$/i;

const takeApart = (text: string): Parts | undefined => {
  const [, scheme = '', host = '', port = '', rest = ''] = shape.exec(text) ?? [];
  return scheme === '' ? undefined : { scheme: scheme.toLowerCase(), host: host.toLowerCase(), port, rest };
};

/** Schemes that a browser or the system acts upon by itself. No program that waits for a code has one of them. */
const refusedSchemes = new Set(
  (
    'about blob chrome chrome-extension data devtools edge file filesystem ftp ftps intent jar javascript mailto mhtml ' +
    'moz-extension ms-appinstaller ms-msdt resource search-ms smb sms ssh tel vbscript view-source ws wss'
  ).split(' '),
);

/** What holds where a proxy names no pattern: programs on the user's own machine. */
const loopbackPatterns: readonly string[] = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'];

/** What is wrong with a pattern, for its author; undefined for one that can be used. */
export function findPatternProblem(pattern: string): string | undefined {
  const parts = takeApart(pattern);
  if (parts === undefined) {
    return 'must be a scheme with :// and what stands behind it, such as http://localhost:*/callback or cursor://*';
  }
  const { scheme, host, rest } = parts;
  if (refusedSchemes.has(scheme)) return `must not have the scheme ${scheme}, which no client is reached by`;
  if (scheme === 'http' && !isLoopbackHost(host)) return 'must be https, or http to localhost, 127.0.0.1 or [::1]';
  if (scheme === 'https' && !/^(?:\*\.)?[^*]+\.[^*.]+$|^[^*]+$/.test(host)) {
    return 'must name its host; only what stands before a domain may be *, as in https://*.example.com/callback';
  }
  if (climbs(rest)) return 'must not lead out of its path';
  return undefined;
}

/**
 * Admits what matches a pattern. Schemes are equal; in a host `*` stands for what names hold, as a port for any port, in path
 * and query for anything. A pattern with a `*` and no path takes every path.
 * @param patterns none: those of programs on the user's own machine
 */
export function compileRedirectAdmission(patterns: readonly string[]): RedirectAdmission {
  const matchers = (patterns.length === 0 ? loopbackPatterns : patterns)
    .filter((pattern) => findPatternProblem(pattern) === undefined)
    .map(compilePattern);
  return (uri) => {
    const parts = takeApart(uri);
    return parts !== undefined && isAddress(uri, parts) && matchers.some((matches) => matches(parts));
  };
}

/** Whatever the patterns say: no wildcard, no name before a host, no fragment, nothing that is read in two ways. */
function isAddress(uri: string, { scheme, host, rest }: Parts): boolean {
  if (uri.length > 2_048 || /[^\x21-\x7e]/.test(uri) || /[*<>"'`{}|^]/.test(uri) || refusedSchemes.has(scheme))
    return false;
  if (scheme === 'http' && !isLoopbackHost(host)) return false;
  if (climbs(rest) || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  return url.protocol === `${scheme}:` && url.username === '' && url.password === '' && url.hash === '';
}

const climbs = (rest: string): boolean => /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?]|$)|%2f|%5c|%00/i.test(rest);

function compilePattern(pattern: string): (parts: Parts) => boolean {
  const { scheme, host, port, rest } = takeApart(pattern) as Parts;
  const matchesHost = glob(host, /^[a-z0-9._-]+$/);
  const takesAllPaths = rest === '' && pattern.includes('*');
  const matchesRest = takesAllPaths ? () => true : glob(rest, /^/);
  return (parts) =>
    parts.scheme === scheme &&
    // A scheme of an application has no host of the network: what stands there is its own.
    (matchesHost(parts.host) || (host === '*' && parts.host === '')) &&
    (port === '*' ? true : parts.port === port) &&
    (matchesRest(parts.rest) || (rest === '/' && parts.rest === ''));
}

/** Walks through the literals between the stars, so that no pattern takes more than linear time. */
function glob(pattern: string, wild: RegExp): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return (text) => text === first;
  const last = others.pop() as string;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const literal of others) {
      const found = text.indexOf(literal, at);
      if (found === -1 || found + literal.length > end) return false;
      at = found + literal.length;
    }
    return wild.test(text.slice(first.length, end));
  };
}

import type { IncomingMessage } from 'node:http';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

/** A host and a port, as far as their characters tell. */
const hostFormat = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

const countHosts = (rawHeaders: readonly string[]): number => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
};

/** What the parser lets pass, and others on the way might read as something else. */
function findProblem({ url = '', headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return 'The only transfer encoding is chunked, and of HTTP/1.1';
  }
  if (!url.startsWith('/') || url.includes('#')) return 'The request target must be a path that begins with /';
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.0') return 'There must be one Host header';
  if (host !== undefined && !hostFormat.test(host)) return 'The Host header must be a host and a port';
  return countHosts(rawHeaders) > 1 ? 'There must be one Host header' : undefined;
}

/** Refuses a request of which two readers might see two different ones, before anything is made of it. */
export const checkFraming: RequestStage<Exchange> = {
  name: 'check-framing',
  run({ request, proxy }) {
    const message = findProblem(request);
    if (message !== undefined) return deny('bad_request', { message });
    return proxy.type === 'llm' && asksForSocket(request) ? deny('no_sockets') : next;
  },
};

/** Clients that would rather speak over a socket go on with HTTP when they are told so; a plain answer leaves them where they are. */
const asksForSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { findFreePort } from './free-port.ts';

/** What arrived, as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** `broken-off` once the caller has hung up, or the peer itself has, before the answer was complete. */
  outcome: 'open' | 'answered' | 'broken-off';
}

/** A real server on loopback that tests talk to. */
export interface Peer extends AsyncDisposable {
  /** Origin, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Oldest first. A request appears once its body has arrived whole. */
  readonly requests: readonly RecordedRequest[];
  /** Empties `requests`: a peer of millions of requests must not keep them all. */
  forget(): void;
  /** Stops listening and breaks every connection off. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
}

export type PeerHandler = (request: RecordedRequest, response: ServerResponse) => void | Promise<void>;

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Starts a peer on the wanted port; 0 is a free one. A handler that throws breaks the connection off.
 * @param host address to listen on; in a container of its own a peer listens on all
 */
export async function startLoopbackPeer(
  handle: PeerHandler,
  wanted = 0,
  upgrade?: UpgradeHandler,
  host = '127.0.0.1',
): Promise<Peer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, response) => {
    receive(incoming, response)
      .then((request) => {
        requests.push(request);
        return handle(request, response);
      })
      .catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  if (upgrade !== undefined) server.on('upgrade', upgrade);

  // No other process may take it while the peer is down.
  const port = wanted === 0 ? await findFreePort() : wanted;
  const up = async () => {
    if (server.listening) return;
    server.listen(port, host);
    await once(server, 'listening');
  };
  await up();

  const down = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    forget: () => void requests.splice(0),
    down,
    up,
    [Symbol.asyncDispose]: down,
  };
}

/** As it was before it was compressed. */
const readBody = (incoming: IncomingMessage): Promise<string> =>
  text(incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming);

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const request: RecordedRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: await readBody(incoming),
    outcome: 'open',
  };
  response.on('close', () => {
    request.outcome = response.writableFinished ? 'answered' : 'broken-off';
  });
  return request;
}

/** Answers JSON, or text as it is. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const [content, type] = typeof body === 'string' ? [body, 'text/plain'] : [JSON.stringify(body), 'application/json'];
  response.writeHead(status, { 'content-type': type, ...headers }).end(content);
}

/** The body parsed, or undefined when it is not JSON. */
export function parseJsonBody(request: Pick<RecordedRequest, 'body'>): unknown {
  try {
    return JSON.parse(request.body);
  } catch {
    return undefined;
  }
}

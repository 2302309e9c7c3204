import { createServer as createClearServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemCode } from '@portcullis/platform/errors/problem';
import { peerAddressOf } from '@portcullis/platform/http/client-address';
import type { CreateServer } from '@portcullis/platform/tls/tls';
import { holdExpectContinue, markMalformed } from '@portcullis/platform/http/receive-body';
import { readParserFault, refuseMalformed } from './refuse-malformed.ts';
import type { PortHandler } from '../traffic/traffic-handler.ts';
import type { MalformedRequest } from './malformed-requests.ts';

/** One open proxy port. */
export interface ProxyListener {
  readonly port: number;
  readonly generation: number;
  /** The TLS pair that the port asked for by its name. */
  readonly tlsPair: string | null;
  readonly startedAt: Date;
  /** To be called when the configuration has changed. */
  reconsider(): void;
  /** Frees the port at once, waits for exchanges in flight at most `drainMs`, then breaks them off with a word to their clients. */
  close(drainMs: number): Promise<void>;
}

/** What a client may take of time and room. */
export interface ClientLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** How often clients are looked at that take their time. */
  readonly checkEveryMs?: number;
}

export interface ListenerParts {
  readonly limits: ClientLimits;
  /** Told of what was refused before it became a request. */
  readonly onMalformed: (request: MalformedRequest) => void;
  /** In clear unless given. */
  readonly createServer?: CreateServer;
}

/** The server of a proxy port, not listening yet. */
export function createProxyServer(parts: ListenerParts, handler: PortHandler): Server {
  const { limits, onMalformed, createServer = createClearServer } = parts;
  /** The latest request of each connection: what cannot be read of its body ends that one, and is no other. */
  const latest = new WeakMap<Duplex, IncomingMessage>();
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.checkEveryMs ?? 5_000,
      insecureHTTPParser: false,
      // check-framing asks for it, so that what comes without leaves a record.
      requireHostHeader: false,
      noDelay: true,
      shouldUpgradeCallback: (request) => handler.takesUpgrade(request),
    },
    (request, response) => {
      latest.set(request.socket, request);
      handler.request(request, response);
    },
  );
  server.on('upgrade', handler.upgrade);
  server.maxConnections = limits.maxConnections;
  // A client that asks first whether a body is welcome learns it when a stage wants to read it.
  server.on('checkContinue', (request, response) => {
    latest.set(request.socket, request);
    holdExpectContinue(request, () => response.writeContinue());
    handler.request(request, response);
  });
  const refuse = (reason: MalformedRequest['reason'], code: string, connection: Duplex): void => {
    onMalformed({ reason, code, address: peerAddressOf(connection as Socket) });
    refuseMalformed(reason, connection);
  };
  server.on('clientError', (error, connection) => {
    const reason = readParserFault(error);
    if (reason === undefined) return void connection.destroy();
    const request = latest.get(connection);
    if (request === undefined || request.complete) return refuse(reason, problemCode(error) ?? '', connection);
    markMalformed(request, reason);
    refuseMalformed(reason, connection);
  });
  // There is no tunnel through a gateway that inspects.
  server.on('connect', (_request, connection) => refuse('method_not_allowed', 'CONNECT', connection));
  return server;
}

/**
 * Opens a proxy port.
 * @throws what the system says, for example EADDRINUSE
 */
export async function openProxyListener(
  proxy: Pick<ProxyListener, 'port' | 'generation' | 'tlsPair'>,
  host: string,
  parts: ListenerParts,
  handler: PortHandler,
): Promise<ProxyListener> {
  const server = createProxyServer(parts, handler);
  await listen(server, proxy.port, host);
  return {
    port: proxy.port,
    generation: proxy.generation,
    tlsPair: proxy.tlsPair,
    startedAt: new Date(),
    reconsider: () => handler.reconsider(),
    close: (drainMs) => closeServer(server, handler, drainMs),
  };
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });

/** For clients to take what they are told at the end of the time that they had. */
const lastWordsMs = 500;

/** Lets exchanges in flight finish for `drainMs`. */
export const closeServer = (server: Server, handler: PortHandler, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const cut = () => {
      server.closeAllConnections();
      handler.cut();
    };
    let deadline = setTimeout(() => {
      handler.breakOff();
      deadline = setTimeout(cut, lastWordsMs);
    }, drainMs);
    // A connection that turns idle during the drain must not keep the server open.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(idle);
      resolve();
    });
    handler.standDown();
    server.closeIdleConnections();
  });

import { createServer, type Server } from 'node:http';
import type { ErrorReason } from '@portcullis/contracts/errors';
import { expectInvitation } from '../traffic/receive-body.ts';
import { readParserFault, refuseUnreadable } from './refuse-unreadable.ts';
import type { PortHandler } from '../traffic/handle-exchange.ts';

/** One open proxy port. */
export interface ProxyListener {
  readonly port: number;
  readonly generation: number;
  readonly startedAt: Date;
  /** Frees the port at once, waits for exchanges in flight at most `drainMs`, then breaks them off. */
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
  readonly onUnreadable: (reason: ErrorReason) => void;
}

/** The server of a proxy port, not listening yet. */
export function createProxyServer({ limits, onUnreadable }: ListenerParts, handler: PortHandler): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.checkEveryMs ?? 5_000,
      insecureHTTPParser: false,
      noDelay: true,
      shouldUpgradeCallback: (request) => handler.takesUpgrade(request),
    },
    handler.request,
  );
  server.on('upgrade', handler.upgrade);
  server.maxConnections = limits.maxConnections;
  // Whoever asks first whether a body is welcome learns it when somebody wants to read it.
  server.on('checkContinue', (request, response) => {
    expectInvitation(request, () => response.writeContinue());
    handler.request(request, response);
  });
  server.on('clientError', (error, connection) => {
    const reason = readParserFault(error);
    if (reason === undefined) return void connection.destroy();
    onUnreadable(reason);
    refuseUnreadable(reason, connection);
  });
  return server;
}

/**
 * Opens a proxy port.
 * @throws what the system says, for example EADDRINUSE
 */
export async function openProxyListener(
  proxy: { readonly port: number; readonly generation: number },
  host: string,
  parts: ListenerParts,
  handler: PortHandler,
): Promise<ProxyListener> {
  const server = createProxyServer(parts, handler);
  await listen(server, proxy.port, host);
  return {
    port: proxy.port,
    generation: proxy.generation,
    startedAt: new Date(),
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

const closeServer = (server: Server, handler: PortHandler, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections();
      handler.cut();
    }, drainMs);
    // A connection that turns idle during the drain must not keep the server open.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(idle);
      resolve();
    });
    handler.standDown();
    server.closeIdleConnections();
  });

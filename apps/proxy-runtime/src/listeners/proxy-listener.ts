import { createServer, type Server } from 'node:http';
import type { PortHandler } from '../traffic/handle-exchange.ts';

/** One open proxy port. */
export interface ProxyListener {
  readonly port: number;
  readonly generation: number;
  readonly startedAt: Date;
  /** Frees the port at once, waits for exchanges in flight at most `drainMs`, then breaks them off. */
  close(drainMs: number): Promise<void>;
}

/**
 * Opens a proxy port.
 * @throws what the system says, for example EADDRINUSE
 */
export async function openProxyListener(
  proxy: { readonly port: number; readonly generation: number },
  host: string,
  handler: PortHandler,
): Promise<ProxyListener> {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 32_768,
      connectionsCheckingInterval: 5_000,
      insecureHTTPParser: false,
      noDelay: true,
    },
    handler.request,
  );
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
    const cut = setTimeout(() => server.closeAllConnections(), drainMs);
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

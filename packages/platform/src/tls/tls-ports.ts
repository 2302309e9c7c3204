import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { tlsOptions } from './tls-options.ts';
import type { TlsPair } from './tls-pair.ts';
import type { Authorities, TlsSource } from './tls-source.ts';
import type { CreateServer } from './tls.ts';

/** An open port and what its certificates are made of. */
interface Port {
  readonly server: TlsServer;
  readonly source: TlsSource<TlsPair>;
  readonly asksClients: boolean;
}

/** The open ports that speak TLS: each is given a new certificate when its source has one. */
export class TlsPorts {
  readonly #authorities: TlsSource<Authorities> | undefined;
  readonly #requiresClients: boolean;
  readonly #open = new Set<Port>();

  /**
   * @param authorities of client certificates; undefined where none are asked for
   * @param requiresClients ports that ask for one answer no client without a good one
   */
  constructor(authorities: TlsSource<Authorities> | undefined, requiresClients: boolean) {
    this.#authorities = authorities;
    this.#requiresClients = requiresClients;
  }

  creatorFor(source: TlsSource<TlsPair>, asksClients: boolean): CreateServer {
    const asks = asksClients && this.#authorities !== undefined;
    return (options, listener) => {
      const settings = {
        ...serverOptions(options, asks, this.#requiresClients),
        ...this.#contextOf({ source, asksClients: asks }),
      };
      const server = createTlsServer(settings, listener);
      const port: Port = { server, source, asksClients: asks };
      this.#open.add(port);
      server.once('close', () => this.#open.delete(port));
      return server;
    };
  }

  /** Gives new connections what their source has now. @param asking only on ports that ask for client certificates */
  renew(source: TlsSource<TlsPair>, { asking }: { readonly asking: boolean }): void {
    for (const port of this.#open) {
      if (port.source === source && (port.asksClients || !asking)) port.server.setSecureContext(this.#contextOf(port));
    }
  }

  #contextOf({ source, asksClients }: Omit<Port, 'server'>): SecureContextOptions {
    return contextFor(source.value, asksClients ? this.#authorities?.value : undefined);
  }
}

/** Of servers that say nothing else. */
const handshakeMs = 10_000;

const serverOptions = (options: Parameters<CreateServer>[0], asksClients: boolean, requiresClients: boolean) => ({
  ...options,
  handshakeTimeout: options.headersTimeout ?? handshakeMs,
  // Who has no certificate, or no good one, may have a key, unless each client must have one. The pipeline decides.
  ...(asksClients && { requestCert: true, rejectUnauthorized: requiresClients }),
});

const contextFor = (pair: TlsPair | undefined, authorities: Authorities | undefined): SecureContextOptions => ({
  ...tlsOptions,
  cert: pair?.cert,
  key: pair?.key,
  ...(authorities !== undefined && { ca: authorities.pem }),
});

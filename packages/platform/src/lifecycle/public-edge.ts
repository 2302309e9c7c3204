import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import {
  createServer as createClearServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemCode, problemText } from './problem.ts';
import { setSecurityHeaders } from '../http/security-headers.ts';
import { createMountTable, type FindMount } from './mount-table.ts';
import type { Mount } from './service.ts';
import { StartProblem } from './start-problem.ts';
import type { CreateServer } from '../tls/tls.ts';

/** The public HTTP port of the process. Disposing breaks off what is still open. */
export interface PublicEdge extends AsyncDisposable {
  readonly host: string;
  /** The port that was really taken, also when 0 was asked for. */
  readonly port: number;
  /**
   * Hands each request to the mount that has its path, from now on; until then requests are answered 503. Every
   * answer carries the security headers, and the content security policy of its mount, unless its handler sets others.
   */
  serve(mounts: readonly Mount[]): void;
  /** Takes nothing new and resolves when no request is in flight any more, at the latest after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

const limits = {
  /** Until a client has sent its headers. */
  headersTimeout: 10_000,
  /** Until a client has sent its whole request. */
  requestTimeout: 60_000,
  /** Longer than the usual 60 s of load balancers, so that they never reuse a connection as it closes. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};
const maxHeaders = 100;
/** A port without a bound would let a stranger take the sockets that traffic needs. */
const maxConnections = 10_000;
/** How long a client may take nothing of its answer, and send nothing. */
const stallMs = 120_000;

interface EdgeOptions {
  /** The variable that gave the port, for the operator; `PORT` unless given. */
  readonly option?: string;
  /** In clear unless given. */
  readonly createServer?: CreateServer;
}

/** @throws {StartProblem} when the port cannot be had */
export async function openPublicEdge(
  host: string,
  port: number,
  { option = 'PORT', createServer = createClearServer }: EdgeOptions = {},
): Promise<PublicEdge> {
  const inFlight = new Set<ServerResponse>();
  const upgraded = new Set<Duplex>();
  const early: Mount = {
    prefix: '/',
    http: refuse('service_unavailable'),
    upgrade: refuseUpgrade('service_unavailable'),
  };
  let findListener: FindMount = () => early;
  let findUpgrade: FindMount = () => early;
  let onIdle: (() => void) | undefined;

  const server = createServer(limits, (request, response) => {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      if (inFlight.size === 0) onIdle?.();
    });
    if (onIdle !== undefined) response.setHeader('connection', 'close');
    const mount = findListener(request.url ?? '');
    setSecurityHeaders(response, mount?.contentSecurityPolicy);
    (mount?.http ?? refuse('not_found'))(request, response);
  });
  server.maxHeadersCount = maxHeaders;
  server.maxConnections = maxConnections;
  server.timeout = stallMs;
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    // Node has let go of it: without a listener a client that resets the connection ends the process.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => upgraded.delete(socket));
    (findUpgrade(request.url ?? '')?.upgrade ?? refuseUpgrade('not_found'))(request, socket, head);
  });

  const taken = await listen(server, host, port).catch((error: unknown) => {
    throw portProblem(error, host, port, option);
  });
  return {
    host,
    port: taken,
    serve(mounts) {
      // A place may be for one of the two alone, as that of `/ws` is for upgrades.
      findListener = createMountTable(mounts.filter(({ http }) => http !== undefined));
      findUpgrade = createMountTable(mounts.filter(({ upgrade }) => upgrade !== undefined));
    },
    async drain(timeoutMs) {
      const { promise: idle, resolve } = Promise.withResolvers<void>();
      onIdle = resolve;
      for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
      server.close();
      if (inFlight.size === 0) return;
      const timer = setTimeout(resolve, timeoutMs);
      await idle;
      clearTimeout(timer);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      // Listening on a host and port always has an address of this form.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function portProblem(error: unknown, host: string, port: number, option: string): StartProblem {
  if (problemCode(error) === 'EADDRINUSE') {
    return new StartProblem(
      `Port ${port} on ${host} is already in use. Stop what listens there, or set ${option} to another one.`,
      error,
    );
  }
  return new StartProblem(`Listening on ${host} port ${port} failed: ${problemText(error)}.`, error);
}

const failure = (reason: ErrorReason) => {
  const { status, text, code } = errorCatalogue[reason];
  return { status, body: JSON.stringify({ success: false, error: text, error_code: code }) };
};

const refuse =
  (reason: ErrorReason): RequestListener =>
  (_request, response) => {
    const { status, body } = failure(reason);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

const refuseUpgrade =
  (reason: ErrorReason) =>
  (_request: IncomingMessage, socket: Duplex): void => {
    const { status, body } = failure(reason);
    socket.end(
      `HTTP/1.1 ${status} \r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
  };

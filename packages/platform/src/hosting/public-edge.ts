import { createServer as createClearServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../http/gateway-error.ts';
import { parseTarget } from '../http/parse-target.ts';
import { plainRefusals, type EdgeRefusals } from './edge-refusals.ts';
import { portProblem } from '../process/check-port.ts';
import { setSecurityHeaders } from '../http/security-headers.ts';
import { createMountTable, type FindMount } from './mount-table.ts';
import type { Mount } from '../service/service.ts';
import type { CreateServer } from '../tls/tls.ts';

/** The public HTTP port of the process. Disposing breaks off what is still open. */
export interface PublicEdge extends AsyncDisposable {
  readonly host: string;
  /** The port that was really taken, also when 0 was asked for. */
  readonly port: number;
  /**
   * Hands each request to the mount that has its path, from now on; until then requests are answered 503. What
   * readers of a path disagree about is answered 400: a mount gets a path and a query, whatever stood in the request
   * line. Every answer carries the security headers, and the content security policy of its mount, unless its handler
   * sets others.
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
  readonly refusals?: EdgeRefusals;
}

const early = new GatewayError('service_unavailable');
const unknown = new GatewayError('not_found');

/** @throws {StartProblem} when the port cannot be had */
export async function openPublicEdge(
  host: string,
  port: number,
  { option = 'PORT', createServer = createClearServer, refusals = plainRefusals }: EdgeOptions = {},
): Promise<PublicEdge> {
  const answers = new AnswersUnderWay();
  const upgraded = new Set<Duplex>();
  const refuse = createRefuse(refusals);
  const notYet = refuse(early);
  const nowhere = refuse(unknown);
  let findListener: FindMount = () => notYet;
  let findUpgrade: FindMount = () => notYet;
  const server = createServer(limits, (request, response) => {
    answers.add(response);
    const problem = settleTarget(request);
    const mount = problem === undefined ? findListener(request.url ?? '') : refuse(problem);
    setSecurityHeaders(response, mount?.contentSecurityPolicy);
    (mount?.http ?? nowhere.http)(request, response);
  });
  server.maxHeadersCount = maxHeaders;
  server.maxConnections = maxConnections;
  server.timeout = stallMs;
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    // Node has let go of it: without a listener a client that resets the connection ends the process.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => upgraded.delete(socket));
    const problem = settleTarget(request);
    const mount = problem === undefined ? findUpgrade(request.url ?? '') : refuse(problem);
    (mount?.upgrade ?? nowhere.upgrade)(request, socket, head);
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
      const idle = answers.drain(timeoutMs);
      server.close();
      await idle;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await closed;
    },
  };
}

/** Places that answer with an error, whatever is asked. */
const createRefuse =
  (refusals: EdgeRefusals) =>
  (error: GatewayError): Mount & Required<Pick<Mount, 'http' | 'upgrade'>> => ({
    prefix: '/',
    http: (request, response) => refusals.http(request, response, error),
    upgrade: (request, socket) => refusals.upgrade(request, socket, error),
  });

/** Puts what a request asks for into the spelling that every mount reads. @returns what is wrong with it */
function settleTarget(request: IncomingMessage): GatewayError | undefined {
  const target = parseTarget(request);
  if ('problem' in target) return new GatewayError('bad_request', { message: target.problem });
  request.url = target.url;
  if (target.host !== undefined) request.headers.host = target.host;
  return undefined;
}

/** The answers that have begun and not ended. */
class AnswersUnderWay {
  readonly #responses = new Set<ServerResponse>();
  /** Set from the drain on: connections end with their answer. */
  #onIdle: (() => void) | undefined;

  add(response: ServerResponse): void {
    this.#responses.add(response);
    response.once('close', () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this.#onIdle?.();
    });
    if (this.#onIdle !== undefined) response.setHeader('connection', 'close');
  }

  /** Resolves when none is left, at the latest after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    const { promise: idle, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    for (const response of this.#responses) if (!response.headersSent) response.setHeader('connection', 'close');
    if (this.#responses.size === 0) return;
    const timer = setTimeout(resolve, timeoutMs);
    await idle;
    clearTimeout(timer);
  }
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

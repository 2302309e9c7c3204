import { createProxyMiddleware, type Options } from 'http-proxy-middleware';
import { Agent, ServerResponse, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { peerAddressOf, type ClientAddress } from '../http/client-address.ts';
import { edgeSealHeader, type EdgeSeal } from '../http/edge-seal.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { takeRequestId } from '../http/request-id.ts';
import type { Logger } from '../log/logger.ts';
import type { EdgeRefusals } from './edge-refusals.ts';
import { problemText } from '../errors/problem.ts';
import type { Mount } from '../service/service.ts';
import type { ServiceDirectory } from './service-directory.ts';
import type { ServiceMount } from './service-mounts.ts';

interface ForwarderParts {
  readonly directory: Pick<ServiceDirectory, 'pick' | 'avoid'>;
  readonly clientAddress: ClientAddress;
  readonly seal: EdgeSeal;
  readonly refusals: EdgeRefusals;
  readonly log: Logger;
}

interface ForwardedRequest {
  readonly endpoint: string;
  readonly service: string;
  readonly startedAtMs: number;
}

/** Makes the handlers of a place whose service runs in another process. */
export type Forward = (place: Omit<ServiceMount, 'addresses'>) => Required<Pick<Mount, 'http' | 'upgrade'>>;

/** A process on the same network takes milliseconds; one that is gone may swallow the attempt. */
const connectMs = 3_000;
/** Without a body that would have been read already. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const connectionFaults: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET']);

/**
 * Hands requests on to the processes of other services and their answers back, piece by piece as they come; bodies,
 * event streams and WebSockets alike. A client that leaves ends the call, and a service that leaves ends the answer.
 */
export function createRequestForwarder(parts: ForwarderParts): Forward & Disposable {
  const { directory, clientAddress, seal, refusals, log } = parts;
  const forwarded = new WeakMap<IncomingMessage, ForwardedRequest>();
  const addresses = new WeakMap<IncomingMessage, string>();
  const switched = new WeakSet<Duplex>();

  const options: Options = {
    router: (request) => addresses.get(request) ?? '',
    on: {
      proxyReq: (outgoing) => limitConnecting(outgoing),
      proxyReqWs(outgoing, _request, socket) {
        outgoing.once('socket', () => limitConnecting(outgoing));
        outgoing.once('upgrade', () => switched.add(socket));
        endTogether(outgoing, socket);
      },
      proxyRes: keepConnectionOfClient,
      error(error, request, answer) {
        if (!request.socket.destroyed && !(answer instanceof ServerResponse && answer.headersSent)) {
          const address = addresses.get(request);
          if (address !== undefined) directory.avoid(address);
          log.warn('A request could not be handed on', { to: address, problem: problemText(error) });
          if (answer instanceof ServerResponse && triesAgain(error, request)) {
            return void proxyFor(request)(request, answer);
          }
        }
        const details = forwarded.get(request);
        if (answer instanceof ServerResponse) refusals.http(request, answer, away, details);
        else if (!switched.has(answer)) refusals.upgrade(request, answer, away, details);
      },
    },
  };
  const triesAgain = createSecondTries(directory, forwarded, addresses);
  const proxies = createProxies(options);
  const proxyFor = (request: IncomingMessage) => proxies.find(addresses.get(request));

  /** @returns whether the service is there */
  const prepare = (request: IncomingMessage, { service, prefix }: Parameters<Forward>[0]): boolean => {
    const { headers } = request;
    forwarded.set(request, { endpoint: prefix, service, startedAtMs: performance.now() });
    headers['x-request-id'] = takeRequestId(request);
    const address = directory.pick(service);
    if (address === undefined) return false;
    addresses.set(request, address);
    nameClient(request, clientAddress(request));
    // It has been answered: this edge has asked for the body.
    delete headers.expect;
    headers[edgeSealHeader] = seal.sign(headers);
    return true;
  };

  const forward: Forward = (place) => ({
    http(request, response) {
      const there = prepare(request, place);
      response.setHeader('x-request-id', String(request.headers['x-request-id']));
      if (there) void proxyFor(request)(request, response);
      else refusals.http(request, response, away, forwarded.get(request));
    },
    upgrade(request, socket, head) {
      // The edge is a plain or an encrypted socket, though the type of the event allows more.
      if (prepare(request, place)) proxyFor(request).upgrade(request, socket as Socket, head);
      else refusals.upgrade(request, socket, away, forwarded.get(request));
    },
  });
  return Object.assign(forward, { [Symbol.dispose]: () => proxies[Symbol.dispose]() });
}

/**
 * A process that was killed is known for some seconds more, and a kept connection may end as a request is written to it.
 * A request that changes nothing is then sent once more, to the next process of the service.
 * @returns whether it is to be, with its new address in `addresses`
 */
function createSecondTries(
  directory: Pick<ServiceDirectory, 'pick'>,
  forwarded: WeakMap<IncomingMessage, ForwardedRequest>,
  addresses: WeakMap<IncomingMessage, string>,
): (error: NodeJS.ErrnoException, request: IncomingMessage) => boolean {
  const tried = new WeakSet<IncomingMessage>();
  return (error, request) => {
    const service = forwarded.get(request)?.service;
    if (service === undefined || tried.has(request)) return false;
    if (!repeatable.has(request.method ?? '') || !connectionFaults.has(error.code ?? '')) return false;
    const address = directory.pick(service);
    if (address === undefined) return false;
    tried.add(request);
    addresses.set(request, address);
    return true;
  };
}

/** One for services in clear and one for those that speak TLS, each with its connections. */
function createProxies(options: Options) {
  // Without a limit of their own: event streams stay open, and the next request must not wait for one to end.
  const agents = {
    clear: new Agent({ keepAlive: true }),
    // Without a name of its own a certificate would be held against the header Host, which the client chooses.
    tls: new TlsAgent({ keepAlive: true, servername: '' }),
  };
  const clear = createProxyMiddleware({ ...options, agent: agents.clear });
  const tls = createProxyMiddleware({ ...options, agent: agents.tls });
  return {
    find: (address: string | undefined) => (address?.startsWith('https:') === true ? tls : clear),
    [Symbol.dispose]() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Tells the service who the client is. */
function nameClient({ headers, socket }: IncomingMessage, client: string): void {
  // What a trusted proxy in front of this one says of the client stands; of a client itself it is worth nothing.
  const trusted = client !== peerAddressOf(socket);
  headers['x-forwarded-for'] = client;
  headers['x-forwarded-host'] = (trusted ? headers['x-forwarded-host'] : undefined) ?? headers.host ?? '';
  headers['x-forwarded-proto'] =
    (trusted ? headers['x-forwarded-proto'] : undefined) ?? ('encrypted' in socket ? 'https' : 'http');
  delete headers['forwarded'];
}

/** The WebSocket of the client and that of the service end with each other. */
function endTogether(outgoing: ClientRequest, socket: Duplex): void {
  socket.once('close', () => outgoing.destroy());
  outgoing.once('upgrade', (_answer, serviceSocket: Socket) => {
    socket.once('close', () => serviceSocket.destroy());
    serviceSocket.once('close', () => socket.end());
  });
}

/** The connection to the service is another one than that of the client. */
function keepConnectionOfClient(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  const closes = response.getHeader('connection') === 'close' || /\bclose\b/i.test(request.headers.connection ?? '');
  answer.headers.connection = closes ? 'close' : 'keep-alive';
  delete answer.headers['keep-alive'];
}

function limitConnecting(outgoing: ClientRequest): void {
  const { socket } = outgoing;
  if (socket === null || !socket.connecting) return;
  const timer = setTimeout(() => outgoing.destroy(new Error(`No connection within ${connectMs} ms`)), connectMs);
  const stop = (): void => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
}

const away = new GatewayError('service_unavailable', {
  message: 'The service that answers here is away',
  headers: { 'retry-after': '2' },
});

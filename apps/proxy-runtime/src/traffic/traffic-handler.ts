import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ExchangeDriver } from '@portcullis/core/pipeline/exchange-driver';
import type { ListenerType } from '@portcullis/contracts/records';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { ClientAddress } from '@portcullis/platform/http/client-address';
import type { Spool } from '@portcullis/platform/spool/spool';
import { findDialect } from '../dialects/find-dialect.ts';
import type { IncomingRequest, Exchange } from '../exchange/exchange.ts';
import type { Pipeline } from '../pipeline.ts';
import { createSocketHandler } from '../mcp-sockets/socket-handler.ts';
import type { SocketLimits, Upgrade } from '../mcp-sockets/upgrade-sink.ts';
import { LegacySseStreams } from '../mcp-streams/legacy-sse-streams.ts';
import { StandingStreams } from '../mcp-streams/standing-streams.ts';
import type { Snapshot, TargetEntry } from '../snapshot/snapshot.ts';
import { answerProxyCors } from '../client/answer-cors.ts';
import { answerUnknown, answerWellKnown } from '../client/answer-well-known.ts';
import { HttpSink, type HttpSinkParts } from './http-sink.ts';
import { OpenExchanges } from './open-exchanges.ts';
import type { ProxyDriver, TrafficObserver } from '../target/proxy-driver.ts';
import { recordFindings } from './record-findings.ts';
import type { AnswerRules } from './target-answer.ts';
import type { TargetPool } from '../target/target-pool.ts';

export interface TrafficParts {
  readonly pipeline: Pipeline;
  readonly observer: TrafficObserver;
  readonly spool: Pick<Spool, 'append'>;
  readonly maxInspectedBytes: number;
  /** Largest message that a client may send on a socket. */
  readonly maxMessageBytes: number;
  /** How long a client may take nothing of its answer, in milliseconds. */
  readonly clientStallMs: number;
  readonly sockets: SocketLimits;
  /** How long a stream of messages may be silent towards its client, in milliseconds. */
  readonly keepAliveMs?: number;
  readonly clientAddress: ClientAddress;
  /** Streams of the transport of 2024-11-05; those of this process alone unless given. */
  readonly legacySse?: LegacySseStreams;
  readonly explain: HttpSinkParts['explain'];
  readonly currentSnapshot: () => Snapshot;
  readonly poolFor: (target: TargetEntry) => TargetPool;
}

/** What serves one proxy port. */
export interface PortHandler {
  readonly request: RequestListener;
  /** Whether an upgrade is one to a socket; if not, the request is served as if it asked for none. */
  takesUpgrade(request: IncomingMessage): boolean;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Looks again at what stays open without end: the configuration has changed. */
  reconsider(): void;
  /** Ends what would stay open without end. */
  standDown(): void;
  /** Ends what is under way, each with a word to its client about why. */
  breakOff(): void;
  /** Ends at once what the server of the port does not know any more. */
  cut(): void;
}

/** Makes the handlers of the proxy ports. */
export function createTrafficHandler(parts: TrafficParts): (proxyId: number) => PortHandler {
  const underWay = new OpenExchanges();
  const sinkParts = { llm: createSinkParts('llm', parts, underWay), mcp: createSinkParts('mcp', parts, underWay) };
  const takeSocket = openSockets(parts, sinkParts.mcp);

  const readRequest = (proxyId: number, request: IncomingMessage): IncomingRequest | undefined => {
    const snapshot = parts.currentSnapshot();
    const proxy = snapshot.proxies.get(proxyId);
    if (proxy === undefined) return undefined;
    const { url = '/' } = request;
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    const query = queryAt === -1 ? '' : url.slice(queryAt);
    const dialect = findDialect(proxy.type, path);
    return { request, snapshot, proxy, clientIp: parts.clientAddress(request), path, query, dialect };
  };

  const serve =
    (proxyId: number, standing: StandingStreams): RequestListener =>
    (request, response) => {
      if (request.url === '/health' && request.method === 'GET') return answerHealth(response);
      const incoming = readRequest(proxyId, request);
      // Deleted a moment ago; its listener is about to close.
      if (incoming === undefined) return void response.writeHead(503, { connection: 'close' }).end();
      // What anyone may read, pages of any site included, says so itself.
      if (answerWellKnown(request, response, incoming.proxy, incoming.snapshot)) return;
      if (answerProxyCors(request, response, incoming.proxy) || answerUnknown(request, response, incoming.proxy))
        return;
      const shared = incoming.proxy.type === 'mcp' ? sinkParts.mcp : sinkParts.llm;
      const sink = new HttpSink(incoming, response, standing, shared);
      void shared.driver.drive(sink.exchange, sink);
    };

  const upgrade =
    (proxyId: number, standing: StandingStreams): PortHandler['upgrade'] =>
    (request, socket, head) => {
      const receive: Upgrade['receive'] = (message) => {
        const incoming = readRequest(proxyId, request);
        return incoming && { ...incoming, ...message };
      };
      const incoming = receive({ received: Buffer.alloc(0) });
      if (incoming === undefined) socket.destroy();
      else takeSocket({ incoming, receive, socket, head, standing });
    };

  return (proxyId) => {
    const standing = new StandingStreams(parts.currentSnapshot);
    return {
      request: serve(proxyId, standing),
      takesUpgrade: ({ headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && parts.currentSnapshot().proxies.get(proxyId)?.type === 'mcp',
      upgrade: upgrade(proxyId, standing),
      reconsider: () => standing.reconsider(),
      standDown: () => standing.endAll(),
      breakOff: () => {
        underWay.breakOff(standing, stopped);
        standing.breakOffAll(stopped);
      },
      cut: () => standing.cutAll(),
    };
  };
}

/** Told to clients whose answers take longer than a port that closes can wait. */
const stopped: Denial = { reason: 'proxy_stopped' };

const defaultKeepAliveMs = 25_000;

/** What the sinks of proxies of one type share. */
function createSinkParts(type: ListenerType, parts: TrafficParts, underWay: OpenExchanges): HttpSinkParts {
  const { pipeline, observer, spool } = parts;
  const driver: ProxyDriver = new ExchangeDriver(type, {
    pipeline,
    observer,
    write: ({ records }, written) => spool.append(records.splice(0), written),
  });
  const settleWhileOpen = (exchange: Exchange): void => driver.settleWhileOpen(exchange);
  const rules: AnswerRules = {
    maxInspectedBytes: parts.maxInspectedBytes,
    clientStallMs: parts.clientStallMs,
    keepAliveMs: parts.keepAliveMs ?? defaultKeepAliveMs,
    legacySse: parts.legacySse ?? new LegacySseStreams(),
    sessions: pipeline.sessions,
    recordFindings: (exchange) => recordFindings(exchange, settleWhileOpen),
    onTargetError: (exchange, error, reason) => observer.targetFailed(exchange, error, reason),
  };
  return { driver, underWay, rules, explain: parts.explain, poolFor: ({ proxy }) => parts.poolFor(proxy.target) };
}

const openSockets = (parts: TrafficParts, { driver, rules, poolFor }: HttpSinkParts): ((upgrade: Upgrade) => void) =>
  createSocketHandler({
    driver,
    recordFindings: rules.recordFindings,
    maxMessageBytes: parts.maxMessageBytes,
    maxAnswerBytes: rules.maxInspectedBytes,
    clientStallMs: rules.clientStallMs,
    limits: parts.sockets,
    bodyMemory: parts.pipeline.bodyMemory,
    poolFor,
    onTargetError: rules.onTargetError,
  });

function answerHealth(response: ServerResponse): void {
  const body = JSON.stringify({ status: 'healthy', timestamp: new Date().toISOString() });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

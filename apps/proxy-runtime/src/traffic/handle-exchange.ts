import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorReason } from '@portcullis/contracts/errors';
import {
  compileForwardStage,
  compileRequestStages,
  type Outcome,
  type PipelineObserver,
} from '@portcullis/core/pipeline/engine';
import { compileResponseStages } from '@portcullis/core/pipeline/response-chain';
import { compileSettleStages } from '@portcullis/core/pipeline/settle';
import type { ListenerType } from '@portcullis/contracts/records';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import type { ClientAddress } from '@portcullis/platform/http/client-address';
import type { Spool } from '@portcullis/platform/spool/spool';
import { Exchange } from '../exchange.ts';
import type { Pipeline } from '../pipeline.ts';
import { answerForClient } from '../mcp/answer-target.ts';
import { createSocketHandler, type SocketLimits } from '../mcp/socket-handler.ts';
import { LegacySseStreams } from '../mcp/legacy-sse-streams.ts';
import { StandingStreams } from '../mcp/standing-streams.ts';
import { findDialect } from '../dialects/find-dialect.ts';
import type { Snapshot, TargetEntry } from '../snapshot/snapshot.ts';
import { OpenExchanges, type OpenExchange } from './open-exchanges.ts';
import { ResponseWriter, type ResponseWriterParts } from './response-writer.ts';
import { awaitsContinue } from './receive-body.ts';
import { readRefusedId } from './read-refused-id.ts';
import { renderRpcRefusal } from './render-denial.ts';
import { stageName, type TargetAnswerParts } from './target-answer.ts';
import type { TargetPool } from './target-pool.ts';

export interface TrafficParts {
  readonly pipeline: Pipeline;
  readonly observer: TrafficObserver;
  readonly spool: Spool;
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
  readonly explain: ResponseWriterParts['explain'];
  readonly currentSnapshot: () => Snapshot;
  readonly linkFor: (target: TargetEntry) => TargetPool;
}

export interface TrafficObserver extends PipelineObserver<Exchange> {
  settled(exchange: Exchange): void;
  targetFailed(exchange: Exchange, error: Error, reason: ErrorReason): void;
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
  const llm = compileTrack('llm', parts);
  const mcp = compileTrack('mcp', parts);

  const serve =
    (proxyId: number, standing: StandingStreams): RequestListener =>
    (request, response) => {
      if (request.url === '/health' && request.method === 'GET') {
        answerHealth(response);
        return;
      }
      const snapshot = parts.currentSnapshot();
      const proxy = snapshot.proxies.get(proxyId);
      // Deleted a moment ago; its listener is about to close.
      if (proxy === undefined) {
        response.writeHead(503, { connection: 'close' }).end();
        return;
      }
      const exchange = new Exchange(request, snapshot, proxy, findDialect, parts.clientAddress(request));
      (proxy.type === 'mcp' ? mcp : llm).serve(exchange, response, standing);
    };

  const takeSocket = createSocketHandler({
    ...mcp,
    maxMessageBytes: parts.maxMessageBytes,
    maxAnswerBytes: parts.maxInspectedBytes,
    clientStallMs: parts.clientStallMs,
    limits: parts.sockets,
    bodyRoom: parts.pipeline.bodyRoom,
    settle: (exchange) =>
      new Promise((resolve) => {
        mcp.settle(exchange);
        parts.spool.append(exchange.records, resolve);
      }),
    linkFor: ({ proxy }) => parts.linkFor(proxy.target),
    onTargetError: (exchange, error) => parts.observer.targetFailed(exchange, error, 'target_failed'),
  });

  const upgrade =
    (proxyId: number, standing: StandingStreams): PortHandler['upgrade'] =>
    (request, socket, head) => {
      const openExchange = (message: Buffer): Exchange | undefined => {
        const snapshot = parts.currentSnapshot();
        const proxy = snapshot.proxies.get(proxyId);
        if (proxy === undefined) return undefined;
        return new Exchange(request, snapshot, proxy, findDialect, parts.clientAddress(request), message);
      };
      const admission = openExchange(Buffer.alloc(0));
      if (admission === undefined) socket.destroy();
      else takeSocket({ admission, openExchange, request, socket, head, standing });
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
        llm.breakOff(standing, stopped);
        mcp.breakOff(standing, stopped);
        standing.breakOffAll(stopped);
      },
      cut: () => standing.cutAll(),
    };
  };
}

/** Refused with a message, where others are with a status. */
const isAnswered = ({ proxy }: Exchange, { reason }: Denial): boolean =>
  reason === 'unknown_tool' || (reason === 'policy_violation' && proxy.blockResponse !== 'http');

/** Told to clients whose answers take longer than a port that closes can wait. */
const stopped: Denial = { reason: 'proxy_stopped' };

const defaultKeepAliveMs = 25_000;

/** Findings that a stream of hours remembers for its log entry, once they are told. */
const maxKeptFindings = 100;

/** The phases of the table for proxies of one type, in order. */
function compileTrack(type: ListenerType, parts: TrafficParts) {
  const { pipeline, observer, spool } = parts;
  const runRequestStages = compileRequestStages(pipeline.request, type, observer);
  const runForward = compileForwardStage(pipeline.forward, observer, ({ writer }: TargetAnswerParts, denial, stage) =>
    writer.deny(denial, stage),
  );
  const openChain = compileResponseStages(pipeline.response, type, observer);
  const runSettleStages = compileSettleStages(pipeline.settle, type, observer);
  const whileOpen = pipeline.settle.filter((row) => row.whileOpen);
  const runStagesWhileOpen = compileSettleStages(whileOpen, type, observer);
  const underWay = new OpenExchanges();
  const settle = (exchange: Exchange): void => {
    underWay.settled(exchange);
    runSettleStages(exchange);
    observer.settled(exchange);
  };

  const { legacySse = new LegacySseStreams() } = parts;
  const taken: Reply = { status: 202, headers: {}, body: Buffer.alloc(0) };
  const tellElsewhere = (exchange: Exchange, denial: Denial): Reply | undefined | Promise<Reply | undefined> => {
    const isOlder = exchange.endpoint !== undefined && isAnswered(exchange, denial);
    if (!isOlder) return undefined;
    const refusal = renderRpcRefusal(exchange, denial, exchange.json);
    const told = refusal === undefined || legacySse.tell(exchange, refusal);
    if (told instanceof Promise) return told.then((late) => (late ? taken : undefined));
    return told ? taken : undefined;
  };

  const recordFindings = (exchange: Exchange): void => {
    runStagesWhileOpen(exchange);
    spool.append(exchange.records.splice(0));
    const excess = exchange.findings.length - maxKeptFindings;
    if (excess <= 0) return;
    exchange.findings.splice(0, excess);
    exchange.toldFindings = exchange.findings.length;
  };

  const refuse = ({ exchange, response, writer }: OpenExchange, denial: Denial, stage: string): void => {
    writer.deny(denial, stage);
    if (exchange.proxy.type === 'mcp' && exchange.json !== undefined)
      answerForClient(exchange, parts.linkFor(exchange.proxy.target).dispatcher, denial);
    closeUnreadBody(exchange.request, response);
  };

  const proceed = (open: OpenExchange, { verdict, stage: name }: Outcome): void => {
    const { exchange, response, writer, standing, brokenOff } = open;
    if (verdict.kind === 'deny') {
      const [denial, stage] = [verdict.denial, name ?? ''];
      const isUnread = exchange.proxy.type === 'mcp' && exchange.json === undefined && !exchange.request.readableEnded;
      const reading = isUnread ? readRefusedId(exchange.request) : null;
      if (reading === null) return refuse(open, denial, stage);
      void reading.then((id) => {
        exchange.refusedId = id;
        refuse(open, denial, stage);
      });
    } else if (verdict.kind === 'reply') {
      writer.reply(verdict.reply);
    } else if (brokenOff !== undefined) {
      writer.deny(brokenOff, stageName);
    } else if (response.destroyed) {
      writer.abandon();
    } else {
      exchange.forwarded = true;
      runForward({
        exchange,
        onSent: (answer) => void (open.answer = answer),
        writer,
        response,
        link: parts.linkFor(exchange.proxy.target),
        chain: openChain(exchange),
        maxInspectedBytes: parts.maxInspectedBytes,
        clientStallMs: parts.clientStallMs,
        standing,
        legacySse,
        sessions: pipeline.sessions,
        keepAliveMs: parts.keepAliveMs ?? defaultKeepAliveMs,
        recordFindings: () => recordFindings(exchange),
        onTargetError: (error, reason) => observer.targetFailed(exchange, error, reason),
      });
    }
  };

  const writerParts: ResponseWriterParts = { settle, spool, explain: parts.explain, tellElsewhere };
  const serve = (exchange: Exchange, response: ServerResponse, standing: StandingStreams): void => {
    const writer = new ResponseWriter(exchange, response, writerParts);
    const open: OpenExchange = { exchange, response, writer, standing, answer: undefined, brokenOff: undefined };
    underWay.add(open);
    const outcome = runRequestStages(exchange);
    if (outcome instanceof Promise) void outcome.then((late) => proceed(open, late));
    else proceed(open, outcome);
  };

  const breakOff = (standing: StandingStreams, denial: Denial): void => underWay.breakOff(standing, denial);
  return { serve, runRequestStages, openChain, settle, recordFindings, breakOff };
}

/** Bytes of a refused body that are read to keep the connection; a longer one ends with its connection. */
const maxDrainedBytes = 65_536;

/** A refused client must not keep us busy receiving what nobody reads. */
function closeUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const bodiless =
    request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined;
  if (bodiless || (length <= maxDrainedBytes && !awaitsContinue(request))) request.resume();
  else response.shouldKeepAlive = false;
}

function answerHealth(response: ServerResponse): void {
  const body = JSON.stringify({ status: 'healthy', timestamp: new Date().toISOString() });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

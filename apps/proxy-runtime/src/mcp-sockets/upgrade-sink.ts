import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorReason } from '@portcullis/contracts/errors';
import type { ExchangeSink } from '@portcullis/core/pipeline/engine';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import type { WebSocket, WebSocketServer } from 'ws';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import { Exchange, type IncomingRequest } from '../exchange/exchange.ts';
import { isRedirect, readAnswerAddresses } from '../target/answer-addresses.ts';
import { stageName, type TargetCall } from '../target/forward.ts';
import { Progress } from '../exchange/progress.ts';
import type { ProxyDriver } from '../target/proxy-driver.ts';
import { renderDenial } from '../client/render-denial.ts';
import { addAddressFindings } from '../target/add-address-findings.ts';
import { readTargetFault } from '../target/target-fault.ts';
import type { TargetPool } from '../target/target-pool.ts';
import { MessageMemory } from './message-memory.ts';
import { SocketRelay, type SocketRelayParts } from './socket-relay.ts';
import { openTargetSocket, UpgradeRefused } from './socket-target.ts';
import type { StandingStreams } from '../mcp-streams/standing-streams.ts';

/** What sockets may take of a process. */
export interface SocketLimits {
  /** Of all proxy ports together. */
  readonly maxSockets: number;
  /** Requests of one socket that wait for an answer. */
  readonly maxPending: number;
}

/** One upgrade on its way to become a relay. */
export interface Upgrade {
  readonly incoming: IncomingRequest;
  /** What a message of the client comes with; undefined when the proxy is no more. */
  readonly receive: SocketRelayParts['receive'];
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly standing: StandingStreams;
}

export interface UpgradeParts extends Pick<SocketRelayParts, 'driver' | 'recordFindings'> {
  readonly driver: ProxyDriver;
  readonly maxAnswerBytes: number;
  readonly clientStallMs: number;
  readonly limits: SocketLimits;
  /** Memory for large bodies, which messages share. */
  readonly bodyMemory: FairShare;
  readonly poolFor: (exchange: Exchange) => TargetPool;
  readonly onTargetError: (exchange: Exchange, error: Error, reason: ErrorReason) => void;
  /** The places for sockets, by the keys that have them. */
  readonly places: FairShare;
  /** Shakes hands with clients. */
  readonly server: WebSocketServer;
  /** The subprotocol that the target chose, for the handshake with the client. */
  readonly chosen: WeakMap<IncomingMessage, string>;
}

const handshakeTimeoutMs = 30_000;

/**
 * What becomes of an upgrade to a WebSocket: the target is asked for a socket, and only then has the client one. What the
 * server says unasked on it belongs to this exchange, which is settled when the socket ends.
 */
export class UpgradeSink implements ExchangeSink, TargetCall {
  readonly exchange: Exchange;
  readonly #progress = new Progress();
  readonly #upgrade: Upgrade;
  readonly #parts: UpgradeParts;
  readonly #gone = new AbortController();
  #pool: TargetPool | undefined;
  #holdsPlace = false;

  constructor(upgrade: Upgrade, parts: UpgradeParts) {
    this.#upgrade = upgrade;
    this.#parts = parts;
    this.exchange = new Exchange(upgrade.incoming, this.#progress);
  }

  get pool(): TargetPool {
    return (this.#pool ??= this.#parts.poolFor(this.exchange));
  }

  reply(reply: Reply): void {
    const { exchange } = this;
    this.#giveUpPlace();
    this.#progress.answer(reply.status, reply.body);
    void this.settle().then(() => writeAnswer(this.#upgrade.socket, exchange.id, reply));
  }

  deny(denial: Denial, stage: string): void {
    this.#progress.end(denial.reason, stage);
    this.reply(renderDenial(this.exchange, denial));
  }

  forward(): void {
    const { places, driver } = this.#parts;
    if (!isHandshake(this.exchange.request))
      return this.deny({ reason: 'bad_request', message: notHandshake }, stageName);
    if (this.#upgrade.socket.destroyed) return this.deny({ reason: 'client_closed' }, stageName);
    this.#holdsPlace = places.take(keyOf(this.exchange), 1);
    if (!this.#holdsPlace) return this.deny({ reason: 'service_unavailable' }, stageName);
    driver.forward(this);
  }

  send(): void {
    const { exchange, pool } = this;
    const { socket } = this.#upgrade;
    const leave = () => this.#gone.abort();
    socket.once('close', leave);
    openTargetSocket(exchange, {
      path: exchange.targetPath,
      connect: pool.connect,
      handshakeTimeoutMs: exchange.proxy.target.timeouts.headersMs ?? handshakeTimeoutMs,
      maxMessageBytes: this.#parts.maxAnswerBytes,
      signal: this.#gone.signal,
    })
      .then(
        (target) => {
          socket.off('close', leave);
          pool.answered();
          this.#accept(target);
        },
        (error: Error) => this.#fail(error),
      )
      .catch(() => socket.destroy());
  }

  /** What it is recorded with when the socket ends. */
  end(reason: ErrorReason, stage = stageName): void {
    this.#progress.end(reason, stage);
  }

  /** Resolves when its records are written. */
  settle(): Promise<void> {
    return new Promise((resolve) => this.#parts.driver.settle(this.exchange, resolve));
  }

  #fail(error: Error): void {
    const { exchange, pool } = this;
    pool.end();
    if (error instanceof UpgradeRefused) {
      pool.answered();
      return this.#replyRefused(error);
    }
    if (this.#gone.signal.aborted) {
      pool.gaveUp();
      return this.deny({ reason: 'client_closed' }, stageName);
    }
    const { reason, problem, blamesTarget } = readTargetFault(error, false);
    if (blamesTarget) pool.failed(problem);
    else pool.gaveUp();
    exchange.targetProblem = problem;
    this.#parts.onTargetError(exchange, error, reason);
    this.deny({ reason }, stageName);
  }

  #replyRefused({ status, headers, body }: UpgradeRefused): void {
    const { exchange } = this;
    const replyHeaders: Record<string, string> = { 'content-type': headers['content-type'] ?? 'text/plain' };
    const addresses = isRedirect(status) ? readAnswerAddresses(exchange, status, headers) : [];
    if (addAddressFindings(exchange, addresses) !== undefined)
      return this.deny({ reason: 'target_redirected' }, stageName);
    for (const { name, value } of addresses) if (value !== undefined) replyHeaders[name] = value;
    this.reply({ status, headers: replyHeaders, body });
  }

  #accept(target: WebSocket): void {
    const { incoming, socket, head } = this.#upgrade;
    if (target.protocol !== '') this.#parts.chosen.set(incoming.request, target.protocol);
    this.#progress.statusCode = 101;
    this.#progress.forwarded = true;
    this.#parts.server.handleUpgrade(incoming.request, socket, head, (client) => this.#relay(client, target));
  }

  #relay(client: WebSocket, target: WebSocket): void {
    const { exchange, pool } = this;
    const { receive, socket, standing } = this.#upgrade;
    const { bodyMemory, driver, recordFindings, clientStallMs, limits } = this.#parts;
    const memory = new MessageMemory(bodyMemory, keyOf(exchange));
    const relay = new SocketRelay({
      driver,
      recordFindings,
      client,
      target,
      admission: this,
      receive,
      stallMs: clientStallMs,
      maxPending: limits.maxPending,
      memory,
      onEnd: () => {
        this.#giveUpPlace();
        pool.end();
        left();
      },
    });
    memory.watch(socket, client, () => relay.refuseLarge());
    const left = standing.add({
      exchange,
      leave: () => relay.leave(),
      expel: (reason) => relay.expel(reason),
      announceTools: () => relay.announceTools(),
      breakOff: (denial) => relay.breakOff(denial),
      cut: () => relay.cut(),
    });
    relay.start();
  }

  #giveUpPlace(): void {
    if (this.#holdsPlace) this.#parts.places.give(keyOf(this.exchange), 1);
    this.#holdsPlace = false;
  }
}

const keyOf = ({ key }: Exchange): number => key?.id ?? 0;

const notHandshake = 'The upgrade is no handshake of WebSocket version 13';
const handshakeKey = /^[A-Za-z\d+/]{22}==$/;
const isHandshake = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  handshakeKey.test(headers['sec-websocket-key'] ?? '') &&
  headers['sec-websocket-version'] === '13';

/** A client that is refused gets an answer of HTTP, with which the connection ends. */
function writeAnswer(socket: Duplex, requestId: string, { status, statusText, headers, body }: Reply): void {
  if (socket.destroyed) return;
  const lines = [
    `HTTP/1.1 ${status} ${statusText ?? STATUS_CODES[status] ?? 'Refused'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}

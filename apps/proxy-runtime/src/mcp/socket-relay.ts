import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { answerOf, callsOf, messagesOf, type RpcId } from '@portcullis/core/mcp/rpc-message';
import type { Outcome } from '@portcullis/core/pipeline/engine';
import type { ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { RawData, WebSocket } from 'ws';
import type { Exchange } from '../exchange.ts';
import { parseData } from '../traffic/response-reader.ts';
import { renderRpcRefusal } from '../traffic/render-denial.ts';
import type { StreamUnit } from '../traffic/stream-unit.ts';
import { renderRefusedAnswer } from './answer-target.ts';
import { renderListChanged } from './list-changed.ts';
import { inspectMessage, type Inspected } from './inspect-message.ts';
import { SocketLane, type SocketMessage } from './socket-lane.ts';

export interface SocketRelayParts {
  readonly client: WebSocket;
  readonly target: WebSocket;
  /** Of the upgrade; what the server says unasked belongs to it. */
  readonly admission: Exchange;
  /** An exchange for a message of the client; undefined when the proxy is no more. */
  readonly openExchange: (message: Buffer) => Exchange | undefined;
  readonly runRequestStages: (exchange: Exchange) => Outcome | Promise<Outcome>;
  readonly openChain: (exchange: Exchange) => ResponseChain<StreamUnit>;
  /** Settles an exchange and resolves when its records are written. */
  readonly settle: (exchange: Exchange) => Promise<void>;
  readonly recordFindings: (exchange: Exchange) => void;
  /** How long somebody may take nothing of what he is sent, in milliseconds. */
  readonly stallMs: number;
  /** Requests that may wait for an answer. */
  readonly maxPending: number;
  readonly onEnd: () => void;
}

/** Bytes on their way to somebody beyond which nothing more is read for him. */
const maxBufferedBytes = 1_048_576;
const pingEveryMs = 30_000;

/** Codes of RFC 6455. */
const [goingAway, noStatus, abnormal, policyViolated, failed, badGateway] = [1_001, 1_005, 1_006, 1_008, 1_011, 1_014];

/** Reasons for which nothing more of this client will be taken. */
const final = new Set<ErrorReason>([
  'key_missing',
  'key_unknown',
  'key_revoked',
  'key_expired',
  'group_inactive',
  'access_denied',
]);

interface PendingRequest {
  readonly exchange: Exchange;
  /** Ids of its batch that were not answered yet. */
  readonly open: Set<RpcId>;
}

/**
 * Relays the messages of one WebSocket, each an exchange of its own that goes through the whole pipeline:
 * a key that is revoked ends its socket with the next message. What policies leave alone goes on byte for byte.
 */
export class SocketRelay {
  readonly #parts: SocketRelayParts;
  readonly #pending = new Map<RpcId, PendingRequest>();
  #draining = false;
  /** The client has said that it is ready to hear of things. */
  #initialized = false;
  #expelled: ErrorReason | undefined;
  #over = false;

  constructor(parts: SocketRelayParts) {
    this.#parts = parts;
  }

  start(): void {
    const { client, target } = this.#parts;
    const fromClient = new SocketLane(client, (message) => this.#guard(() => this.#takeFromClient(message)));
    const fromTarget = new SocketLane(target, (message) => this.#guard(() => this.#takeFromTarget(message)));
    client.on('message', (data, isBinary) => fromClient.push({ bytes: toBuffer(data), isBinary }));
    target.on('message', (data, isBinary) => fromTarget.push({ bytes: toBuffer(data), isBinary }));
    client.on('close', (code, reason) => this.#end('client_closed', target, code, reason));
    target.on('close', (code, reason) => this.#end('target_failed', client, code, reason));
    client.on('error', () => undefined);
    const stopPings = [keepAlive(client), keepAlive(target)];
    client.once('close', () => stopPings.forEach((stop) => stop()));
    target.resume();
  }

  /** Ends as soon as nobody waits for an answer. */
  leave(): void {
    this.#draining = true;
    if (this.#pending.size === 0) this.#close(goingAway, 'the proxy stops');
  }

  /** What is under way is given up: whoever may not speak here may not be answered either. */
  expel(reason: ErrorReason): void {
    if (this.#over) return;
    this.#expelled = reason;
    this.#parts.admission.ending = { reason, stage: 'forward' };
    this.#close(policyViolated, errorCatalogue[reason].text);
    this.#settleAll(reason);
  }

  announceTools(): void {
    const { client, admission } = this.#parts;
    const message = renderListChanged(admission);
    if (!this.#initialized || message === undefined) return;
    void this.#send(client, Buffer.from(JSON.stringify(message)), false);
  }

  cut(): void {
    this.#parts.client.terminate();
    this.#parts.target.terminate();
  }

  #guard(handle: () => void | Promise<void>): void | Promise<void> {
    try {
      const waits = handle();
      return waits?.catch(() => this.#close(failed, ''));
    } catch {
      this.#close(failed, '');
    }
  }

  #takeFromClient(message: SocketMessage): void | Promise<void> {
    const { openExchange, runRequestStages } = this.#parts;
    if (this.#expelled !== undefined) return undefined;
    const exchange = openExchange(message.bytes);
    if (exchange === undefined) return this.#close(goingAway, 'the proxy stops');
    const outcome = runRequestStages(exchange);
    return outcome instanceof Promise
      ? outcome.then((late) => this.#decide(exchange, late, message))
      : this.#decide(exchange, outcome, message);
  }

  #decide(exchange: Exchange, { verdict, stage }: Outcome, message: SocketMessage): void | Promise<void> {
    if (this.#over) return this.#abandon(exchange, 'client_closed');
    if (verdict.kind === 'deny') return this.#refuse(exchange, verdict.denial, stage ?? '');
    if (verdict.kind === 'reply') return this.#reply(exchange, verdict.reply.status, verdict.reply.body);
    const ids = callsOf(exchange.json).flatMap(({ id }) => (id === undefined ? [] : [id]));
    const objection = this.#objectTo(exchange, ids);
    return objection === undefined
      ? this.#forward(exchange, ids, message.isBinary)
      : this.#refuse(exchange, objection, 'forward');
  }

  #objectTo({ json }: Exchange, ids: readonly RpcId[]): Denial | undefined {
    if (typeof json !== 'object' || json === null) return { reason: 'invalid_json' };
    if (ids.length === 0) return undefined;
    if (this.#draining) return { reason: 'service_unavailable' };
    if (this.#pending.size + ids.length > this.#parts.maxPending) return { reason: 'too_many_requests' };
    const isTaken = ids.some((id, index) => this.#pending.has(id) || ids.indexOf(id) !== index);
    return isTaken ? { reason: 'bad_request', message: 'A request with this id is under way' } : undefined;
  }

  #forward(exchange: Exchange, ids: readonly RpcId[], isBinary: boolean): void | Promise<void> {
    exchange.forwarded = true;
    exchange.statusCode = 200;
    this.#readNotifications(exchange);
    if (ids.length === 0) void this.#parts.settle(exchange);
    const request = { exchange, open: new Set(ids) };
    for (const id of ids) this.#pending.set(id, request);
    return this.#send(this.#parts.target, exchange.body, isBinary);
  }

  /** Whoever takes his request back may never be answered, and whoever is ready may be told of changes. */
  #readNotifications({ json }: Exchange): void {
    for (const { method, params } of callsOf(json)) {
      this.#initialized ||= method === 'notifications/initialized';
      const id = params?.['requestId'];
      if (method !== 'notifications/cancelled' || (typeof id !== 'string' && typeof id !== 'number')) continue;
      const request = this.#pending.get(id);
      if (request !== undefined) void this.#answered(request, [id], 'client_closed');
    }
    if (this.#draining) this.leave();
  }

  #takeFromTarget({ bytes, isBinary }: SocketMessage): void | Promise<void> {
    const value = parseData(bytes.toString('utf8'));
    const ids = messagesOf(value).flatMap((message) => answerOf(message)?.id ?? []);
    const request = ids.map((id) => this.#pending.get(id)).find((found) => found !== undefined);
    const exchange = request?.exchange ?? this.#parts.admission;
    const unit: StreamUnit = { bytes, form: 'json', content: { kind: 'value', value }, terminal: true };
    const inspected = inspectMessage(this.#parts.openChain(exchange), unit);
    const pass = (outcome: Inspected) => {
      // Nobody waits any more: meanwhile somebody has gone, or taken his request back.
      if (this.#over || request?.open.size === 0) return undefined;
      return this.#passToClient({ exchange, request, ids, value, isBinary }, outcome);
    };
    return inspected instanceof Promise ? inspected.then(pass) : pass(inspected);
  }

  #passToClient(
    { exchange, request, ids, value, isBinary }: TargetMessage,
    { units, cut }: Inspected,
  ): void | Promise<void> {
    const { client, recordFindings } = this.#parts;
    if (request === undefined) {
      if (cut !== null) exchange.refusal = { reason: cut.denial.reason, stage: cut.stage };
      if (exchange.findings.length > exchange.toldFindings) recordFindings(exchange);
      if (cut !== null) return this.#refuseTarget(exchange, value, cut.denial);
      return this.#send(client, joined(units), isBinary);
    }
    if (cut !== null) exchange.ending = { reason: cut.denial.reason, stage: cut.stage };
    const bytes = cut === null ? joined(units) : refusalOf(exchange, cut.denial, request.open);
    exchange.responseBytes += bytes.length;
    const send = () => {
      const waits = this.#send(client, bytes, isBinary && cut === null);
      if (this.#draining) this.leave();
      return waits;
    };
    const settled = this.#answered(request, cut === null ? ids : [...request.open]);
    return settled === undefined ? send() : settled.then(send);
  }

  /** A message that the server sent unasked: its request is answered in the client's place, the rest is dropped. */
  #refuseTarget(exchange: Exchange, value: unknown, denial: Denial): void | Promise<void> {
    const error = renderRpcRefusal(exchange, denial, value);
    return error === undefined ? undefined : this.#send(this.#parts.target, Buffer.from(JSON.stringify(error)), false);
  }

  /** Resolves when the records are written, if the request is done with these answers. */
  #answered(request: PendingRequest, ids: readonly RpcId[], reason?: ErrorReason): Promise<void> | undefined {
    for (const id of ids) {
      request.open.delete(id);
      if (this.#pending.get(id) === request) this.#pending.delete(id);
    }
    if (request.open.size > 0) return undefined;
    if (reason !== undefined) request.exchange.ending = { reason, stage: 'forward' };
    return this.#parts.settle(request.exchange);
  }

  #refuse(exchange: Exchange, denial: Denial, stage: string): Promise<void> {
    exchange.ending = { reason: denial.reason, stage };
    const { status, text } = errorCatalogue[denial.reason];
    // Whoever is refused before his message is parsed still waits for its answer.
    const message: unknown = exchange.json ?? parseData(exchange.received?.toString('utf8') ?? '');
    const refusal = renderRpcRefusal(exchange, denial, message);
    const body = Buffer.from(refusal === undefined ? '' : JSON.stringify(refusal));
    const inPlace = renderRefusedAnswer(exchange, denial);
    return this.#reply(exchange, status, body).then(() => {
      // The server waits for what the client answered.
      if (inPlace !== undefined) void this.#send(this.#parts.target, Buffer.from(inPlace), false);
      if (final.has(denial.reason)) this.#close(policyViolated, text);
    });
  }

  #reply(exchange: Exchange, status: number, body: Buffer): Promise<void> {
    exchange.statusCode = status;
    exchange.responseBytes = body.length;
    return this.#parts.settle(exchange).then(() => this.#send(this.#parts.client, body, false));
  }

  #abandon(exchange: Exchange, reason: ErrorReason): void {
    exchange.ending = { reason, stage: 'forward' };
    void this.#parts.settle(exchange);
  }

  /** Resolves, where somebody takes slower than he is sent, when he has taken it. */
  #send(socket: WebSocket, bytes: Buffer, isBinary: boolean): void | Promise<void> {
    if (bytes.length === 0 || socket.readyState !== socket.OPEN) return undefined;
    if (socket.bufferedAmount <= maxBufferedBytes) {
      socket.send(bytes, { binary: isBinary });
      return undefined;
    }
    return new Promise((resolve) => {
      const cut = setTimeout(() => socket.terminate(), this.#parts.stallMs).unref();
      socket.send(bytes, { binary: isBinary }, () => {
        clearTimeout(cut);
        resolve();
      });
    });
  }

  #close(code: number, reason: string): void {
    this.#parts.client.close(code, reason);
    this.#parts.target.close(goingAway);
  }

  #settleAll(reason: ErrorReason): void {
    for (const { exchange, open } of new Set(this.#pending.values())) {
      open.clear();
      this.#abandon(exchange, reason);
    }
    this.#pending.clear();
  }

  #end(reason: ErrorReason, other: WebSocket, code: number, why: Buffer): void {
    if (this.#over) return;
    this.#over = true;
    const { admission, settle, target, onEnd } = this.#parts;
    this.#settleAll(reason);
    if (code === noStatus) other.close();
    else if (code !== abnormal) other.close(code, why);
    else if (other === target) other.terminate();
    else other.close(badGateway);
    void settle(admission);
    onEnd();
  }
}

interface TargetMessage {
  readonly exchange: Exchange;
  /** Undefined for what the server says unasked. */
  readonly request: PendingRequest | undefined;
  readonly ids: readonly RpcId[];
  readonly value: unknown;
  readonly isBinary: boolean;
}

const joined = (units: readonly StreamUnit[]): Buffer =>
  units.length === 1 ? (units[0] as StreamUnit).bytes : Buffer.concat(units.map(({ bytes }) => bytes));

/** The refusal of an answer, for the requests that wait for it. */
function refusalOf(exchange: Exchange, denial: Denial, open: ReadonlySet<RpcId>): Buffer {
  const waiting = messagesOf(exchange.json).filter((message) =>
    callsOf(message).some(({ id }) => id !== undefined && open.has(id)),
  );
  const body = Array.isArray(exchange.json) ? waiting : waiting[0];
  return Buffer.from(JSON.stringify(renderRpcRefusal(exchange, denial, body)) ?? '');
}

const toBuffer = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};

/** Cuts a socket whose other side is silent even when asked for a sign of life. */
function keepAlive(socket: WebSocket): () => void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive && !socket.isPaused) return socket.terminate();
    alive = false;
    socket.ping();
  }, pingEveryMs).unref();
  return () => clearInterval(timer);
}

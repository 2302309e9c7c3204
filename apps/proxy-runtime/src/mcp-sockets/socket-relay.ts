import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { answerOf, callsOf, messagesOf, type RpcId } from '@portcullis/core/mcp/rpc-message';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { WebSocket } from 'ws';
import type { IncomingRequest, Exchange } from '../exchange/exchange.ts';
import type { ProxyDriver } from '../target/proxy-driver.ts';
import { readJsonData } from '../framing/parse-data.ts';
import { readAmbiguity } from '../answers/readers/read-data.ts';
import { tooManyLarge } from '@portcullis/platform/http/receive-body';
import { renderRpcRefusal } from '../client/render-denial.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { renderListChanged } from '../mcp-streams/list-changed.ts';
import { inspectMessage, type Inspected } from './inspect-message.ts';
import type { MessageMemory } from './message-memory.ts';
import { MessageSink, type MessageSocket } from './message-sink.ts';
import { PendingRequests, type PendingRequest } from './pending-requests.ts';
import type { SocketMessage } from './socket-queue.ts';
import { SocketPeer } from './socket-peer.ts';

/** The exchange of a socket as a whole. */
export interface Admission {
  readonly exchange: Exchange;
  end(reason: ErrorReason, stage?: string): void;
  settle(): Promise<void>;
}

export interface SocketRelayParts {
  readonly client: WebSocket;
  readonly target: WebSocket;
  /** The upgrade; what the server says unasked belongs to it. */
  readonly admission: Admission;
  /** What a message of the client comes with; undefined when the proxy is no more. */
  readonly receive: (message: Pick<IncomingRequest, 'received' | 'heldBytes'>) => IncomingRequest | undefined;
  readonly driver: ProxyDriver;
  readonly recordFindings: (exchange: Exchange) => void;
  /** How long a peer may take nothing of what it is sent, in milliseconds. */
  readonly stallMs: number;
  /** Requests that may wait for an answer. */
  readonly maxPending: number;
  /** For what the client sends. */
  readonly memory: MessageMemory;
  readonly onEnd: () => void;
}

/** Codes of RFC 6455. */
const [goingAway, noStatus, abnormal, policyViolated, failed, tryLater, badGateway] = [
  1_001, 1_005, 1_006, 1_008, 1_011, 1_013, 1_014,
];

/**
 * Relays the messages of one WebSocket, each an exchange of its own that goes through the whole pipeline:
 * a key that is revoked ends its socket with the next message. What policies leave alone goes on byte for byte.
 */
export class SocketRelay implements MessageSocket {
  readonly #parts: SocketRelayParts;
  readonly #client: SocketPeer;
  readonly #target: SocketPeer;
  readonly #pending: PendingRequests;
  #draining = false;
  /** The client has said that it is ready to hear of things. */
  #initialized = false;
  #expelled: ErrorReason | undefined;
  #over = false;

  constructor(parts: SocketRelayParts) {
    const { client, target, stallMs, maxPending, memory } = parts;
    this.#parts = parts;
    this.#client = new SocketPeer(client, stallMs, memory);
    this.#target = new SocketPeer(target, stallMs);
    this.#pending = new PendingRequests(maxPending);
  }

  start(): void {
    const { client, target } = this.#parts;
    this.#client.listen(
      (message) => this.#guard(() => this.#takeFromClient(message)),
      (code, reason) => this.#end('client_closed', target, code, reason),
    );
    this.#target.listen(
      (message) => this.#guard(() => this.#takeFromTarget(message)),
      (code, reason) => this.#end('target_failed', client, code, reason),
    );
    client.on('error', () => undefined);
    const stopPings = [this.#client.keepAlive(), this.#target.keepAlive()];
    client.once('close', () => stopPings.forEach((stop) => stop()));
    target.resume();
  }

  /** Ends as soon as no client waits for an answer. */
  leave(): void {
    this.#draining = true;
    if (this.#pending.isEmpty) this.#close(goingAway, 'the proxy stops');
  }

  /** What is under way is given up: a client that may not speak here may not be answered either. */
  expel(reason: ErrorReason): void {
    if (this.#over) return;
    this.#expelled = reason;
    this.#parts.admission.end(reason);
    this.#close(policyViolated, errorCatalogue[reason].text);
    this.#pending.abandonAll(reason);
  }

  /** There is no memory left for what the client sends. */
  refuseLarge(): void {
    if (this.#over) return;
    this.#parts.admission.end('service_unavailable', 'parse');
    this.#close(tryLater, tooManyLarge);
  }

  announceTools(): void {
    const message = renderListChanged(this.#parts.admission.exchange);
    if (!this.#initialized || message === undefined) return;
    void this.#client.send(Buffer.from(JSON.stringify(message)));
  }

  /** Clients whose requests wait learn that no answers come. */
  breakOff(denial: Denial): void {
    this.#draining = true;
    const refusals = this.#pending.all().flatMap((request) => {
      const { message, open } = request;
      const bytes = refusalOf(message.exchange, denial, open);
      message.end(denial.reason);
      message.sent(bytes);
      return this.#pending.answered(request, [...open])?.then(() => this.#client.send(bytes)) ?? [];
    });
    void Promise.all(refusals).then(() => this.#close(goingAway, 'the proxy stops'));
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

  #takeFromClient({ bytes, isBinary, heldBytes }: SocketMessage): void | Promise<void> {
    const { receive, memory, driver } = this.#parts;
    if (this.#expelled !== undefined) return memory.giveBack(heldBytes);
    const incoming = receive({ received: bytes, heldBytes });
    if (incoming === undefined) {
      memory.giveBack(heldBytes);
      return this.#close(goingAway, 'the proxy stops');
    }
    const message = new MessageSink(incoming, isBinary, this, driver);
    return driver.drive(message.exchange, message);
  }

  get isOver(): boolean {
    return this.#over;
  }

  objectTo({ json }: Exchange, ids: readonly RpcId[]): Denial | undefined {
    if (typeof json !== 'object' || json === null) return { reason: 'invalid_json' };
    if (ids.length === 0) return undefined;
    if (this.#draining) return { reason: 'service_unavailable' };
    return this.#pending.objectTo(ids);
  }

  forward(message: MessageSink, ids: readonly RpcId[]): void | Promise<void> {
    const { exchange, isBinary } = message;
    this.#readNotifications(exchange);
    this.#pending.add(message, ids);
    return this.#target.send(exchange.body.bytes, isBinary);
  }

  answer(body: Buffer): void | Promise<void> {
    return this.#client.send(body);
  }

  sendToTarget(body: Buffer): void {
    void this.#target.send(body);
  }

  closeFor(reason: ErrorReason): void {
    this.#close(policyViolated, errorCatalogue[reason].text);
  }

  /** A client that takes its request back may never be answered, and one that is ready may be told of changes. */
  #readNotifications({ json }: Exchange): void {
    for (const { method, params } of callsOf(json)) {
      this.#initialized ||= method === 'notifications/initialized';
      const id = params?.['requestId'];
      const isId = typeof id === 'string' || typeof id === 'number';
      if (method === 'notifications/cancelled' && isId) this.#pending.cancel(id);
    }
    if (this.#draining) this.leave();
  }

  #takeFromTarget({ bytes, isBinary }: SocketMessage): void | Promise<void> {
    const source = bytes.toString('utf8');
    const { value, unreadable } = readJsonData(source);
    const ids = messagesOf(value).flatMap((message) => answerOf(message)?.id ?? []);
    const request = this.#pending.find(ids);
    const exchange = request?.message.exchange ?? this.#parts.admission.exchange;
    const content = { kind: 'value', value } as const;
    const unit: StreamUnit = {
      bytes,
      form: 'json',
      content,
      terminal: true,
      ...(unreadable === undefined ? readAmbiguity(exchange, source, value) : { unreadable }),
    };
    const inspected = inspectMessage(this.#parts.driver.openChain(exchange), unit);
    const pass = (outcome: Inspected) => {
      // The answer is not waited for any more: its client has gone, or taken the request back.
      if (this.#over || request?.open.size === 0) return undefined;
      return this.#passToClient({ exchange, request, ids, value, isBinary }, outcome);
    };
    return inspected instanceof Promise ? inspected.then(pass) : pass(inspected);
  }

  #passToClient(
    { exchange, request, ids, value, isBinary }: TargetMessage,
    { units, cut }: Inspected,
  ): void | Promise<void> {
    const { recordFindings } = this.#parts;
    if (request === undefined) {
      if (cut !== null) exchange.refusal = { reason: cut.denial.reason, stage: cut.stage };
      if (exchange.findings.length > exchange.alertedFindings) recordFindings(exchange);
      if (cut !== null) return this.#refuseTarget(exchange, value, cut.denial);
      return this.#client.send(joined(units), isBinary);
    }
    const { message } = request;
    if (cut !== null) message.end(cut.denial.reason, cut.stage);
    const bytes = cut === null ? joined(units) : refusalOf(exchange, cut.denial, request.open);
    message.sent(bytes);
    const send = () => {
      const waits = this.#client.send(bytes, isBinary && cut === null);
      if (this.#draining) this.leave();
      return waits;
    };
    const settled = this.#pending.answered(request, cut === null ? ids : [...request.open]);
    return settled === undefined ? send() : settled.then(send);
  }

  /** A message that the server sent unasked: its request is answered in the client's place, the rest is dropped. */
  #refuseTarget(exchange: Exchange, value: unknown, denial: Denial): void | Promise<void> {
    const error = renderRpcRefusal(exchange, denial, value);
    return error === undefined ? undefined : this.#target.send(Buffer.from(JSON.stringify(error)));
  }

  #close(code: number, reason: string): void {
    this.#parts.client.close(code, reason);
    this.#parts.target.close(goingAway);
  }

  #end(reason: ErrorReason, other: WebSocket, code: number, why: Buffer): void {
    if (this.#over) return;
    this.#over = true;
    const { admission, target, onEnd } = this.#parts;
    this.#pending.abandonAll(reason);
    if (code === noStatus) other.close();
    else if (code !== abnormal) other.close(code, why);
    else if (other === target) other.terminate();
    else other.close(badGateway);
    void admission.settle();
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

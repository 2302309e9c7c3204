import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { callsOf, type RpcId } from '@portcullis/core/mcp/rpc-message';
import type { ExchangeSink } from '@portcullis/core/pipeline/engine';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import { Exchange, type IncomingRequest } from '../exchange/exchange.ts';
import { stageName } from '../target/forward.ts';
import { Progress } from '../exchange/progress.ts';
import type { ProxyDriver } from '../target/proxy-driver.ts';
import { readJsonData } from '../framing/parse-data.ts';
import { renderRpcRefusal } from '../client/render-denial.ts';
import { renderRefusedAnswer } from '../mcp-streams/server-errors.ts';

/** The socket of a message, as far as its sink has to do with it. */
export interface MessageSocket {
  /** There is no other end any more. */
  readonly isOver: boolean;
  /** Why a message with requests of these ids may not go on; undefined when it may. */
  objectTo(exchange: Exchange, ids: readonly RpcId[]): Denial | undefined;
  forward(message: MessageSink, ids: readonly RpcId[]): void | Promise<void>;
  answer(body: Buffer): void | Promise<void>;
  /** Tells the target that what its client answered does not come. */
  sendToTarget(body: Buffer): void;
  /** Nothing more of this client will be taken. */
  closeFor(reason: ErrorReason): void;
}

/** Reasons for which nothing more of a client will be taken. */
const final = new Set<ErrorReason>([
  'key_missing',
  'key_unknown',
  'key_revoked',
  'key_expired',
  'group_inactive',
  'access_denied',
]);

/** What becomes of one message of a client on a WebSocket. */
export class MessageSink implements ExchangeSink {
  readonly exchange: Exchange;
  readonly isBinary: boolean;
  readonly #progress = new Progress();
  readonly #socket: MessageSocket;
  readonly #driver: ProxyDriver;

  constructor(incoming: IncomingRequest, isBinary: boolean, socket: MessageSocket, driver: ProxyDriver) {
    this.exchange = new Exchange(incoming, this.#progress);
    this.isBinary = isBinary;
    this.#socket = socket;
    this.#driver = driver;
  }

  reply({ status, body }: Reply): void | Promise<void> {
    return this.#socket.isOver ? this.abandon('client_closed') : this.#answer(status, body);
  }

  deny(denial: Denial, stage: string): void | Promise<void> {
    const { exchange } = this;
    const socket = this.#socket;
    if (socket.isOver) return this.abandon('client_closed');
    this.end(denial.reason, stage);
    // A client that is refused before its message is parsed still waits for its answer.
    const message: unknown = exchange.json ?? readJsonData(exchange.received?.toString('utf8') ?? '').value;
    const refusal = renderRpcRefusal(exchange, denial, message);
    const inPlace = renderRefusedAnswer(exchange, denial);
    const body = Buffer.from(refusal === undefined ? '' : JSON.stringify(refusal));
    return this.#answer(errorCatalogue[denial.reason].status, body).then(() => {
      // The server waits for what the client answered.
      if (inPlace !== undefined) socket.sendToTarget(Buffer.from(inPlace));
      if (final.has(denial.reason)) socket.closeFor(denial.reason);
    });
  }

  forward(): void | Promise<void> {
    const { exchange } = this;
    if (this.#socket.isOver) return this.abandon('client_closed');
    const ids = callsOf(exchange.json).flatMap(({ id }) => (id === undefined ? [] : [id]));
    const objection = this.#socket.objectTo(exchange, ids);
    if (objection !== undefined) return this.deny(objection, stageName);
    this.#progress.forwarded = true;
    this.#progress.statusCode = 200;
    return this.#socket.forward(this, ids);
  }

  /** What was sent to the client in answer to it. */
  sent(body: Buffer): void {
    this.#progress.responseBytes += body.length;
  }

  end(reason: ErrorReason, stage = stageName): void {
    this.#progress.end(reason, stage);
  }

  /** There will be no answer. */
  abandon(reason: ErrorReason): void {
    this.end(reason);
    void this.settle();
  }

  /** Resolves when its records are written. */
  settle(): Promise<void> {
    return new Promise((resolve) => this.#driver.settle(this.exchange, resolve));
  }

  #answer(status: number, body: Buffer): Promise<void> {
    this.#progress.answer(status, body);
    return this.settle().then(() => this.#socket.answer(body));
  }
}

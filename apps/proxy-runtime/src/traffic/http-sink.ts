import type { ServerResponse } from 'node:http';
import type { ExchangeSink } from '@portcullis/core/pipeline/engine';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import { Exchange, type IncomingRequest } from '../exchange/exchange.ts';
import { sendErrorForClient } from '../mcp-streams/server-errors.ts';
import { refuseOnStream } from '../mcp-streams/refuse-on-stream.ts';
import type { StandingStreams } from '../mcp-streams/standing-streams.ts';
import { closeUnreadBody } from '../http/close-unread-body.ts';
import { stageName, type TargetCall } from '../target/forward.ts';
import type { OpenExchange, OpenExchanges } from './open-exchanges.ts';
import { Progress } from '../exchange/progress.ts';
import type { ProxyDriver } from '../target/proxy-driver.ts';
import { readRefusedId } from '../client/read-refused-id.ts';
import { ResponseWriter, type WriterSink } from '../client/response-writer.ts';
import { sendRequest } from './send-request.ts';
import type { AnswerRules, HttpCall, TargetAnswer } from './target-answer.ts';
import type { TargetPool } from '../target/target-pool.ts';

export interface HttpSinkParts {
  readonly driver: ProxyDriver;
  readonly underWay: OpenExchanges;
  readonly explain: (exchange: Exchange) => string | undefined;
  readonly poolFor: (exchange: Exchange) => TargetPool;
  readonly rules: AnswerRules;
}

/** What becomes of one HTTP request. */
export class HttpSink implements ExchangeSink, TargetCall, HttpCall, WriterSink, OpenExchange {
  readonly progress = new Progress();
  readonly exchange: Exchange;
  readonly response: ServerResponse;
  readonly standing: StandingStreams;
  readonly writer: ResponseWriter;
  place: number | undefined = undefined;
  readonly #parts: HttpSinkParts;
  #pool: TargetPool | undefined;
  #answer: TargetAnswer | undefined;
  /** Why it is not forwarded any more, though its stages let it pass. */
  #brokenOff: Denial | undefined;

  constructor(incoming: IncomingRequest, response: ServerResponse, standing: StandingStreams, parts: HttpSinkParts) {
    this.exchange = new Exchange(incoming, this.progress);
    this.response = response;
    this.standing = standing;
    this.#parts = parts;
    this.writer = new ResponseWriter(this);
    parts.underWay.add(this);
  }

  get pool(): TargetPool {
    return (this.#pool ??= this.#parts.poolFor(this.exchange));
  }

  reply(reply: Reply): void {
    this.writer.reply(reply);
  }

  deny(denial: Denial, stage: string): void {
    const { exchange, progress } = this;
    const isUnread = exchange.proxy.type === 'mcp' && exchange.json === undefined && !exchange.request.readableEnded;
    const reading = isUnread ? readRefusedId(exchange.request) : null;
    if (reading === null) return this.#refuse(denial, stage);
    void reading.then((id) => {
      progress.refusedId = id;
      this.#refuse(denial, stage);
    });
  }

  #refuse(denial: Denial, stage: string): void {
    const { exchange, writer } = this;
    const reply = refuseOnStream(exchange, denial, this.#parts.rules.legacySse);
    if (reply instanceof Promise) void reply.then((late) => writer.deny(denial, stage, late));
    else writer.deny(denial, stage, reply);
    if (exchange.proxy.type === 'mcp' && exchange.json !== undefined)
      sendErrorForClient(exchange, this.pool.dispatcher, denial);
    closeUnreadBody(exchange.request, this.response);
  }

  forward(): void {
    if (this.#brokenOff !== undefined) return this.writer.deny(this.#brokenOff, stageName);
    if (this.response.destroyed) return this.writer.abandon();
    this.progress.forwarded = true;
    this.#parts.driver.forward(this);
  }

  send(): void {
    const { driver, rules } = this.#parts;
    this.#answer = sendRequest({ call: this, chain: driver.openChain(this.exchange), rules });
  }

  breakOff(denial: Denial): void {
    this.#brokenOff = denial;
    this.#answer?.breakOff(denial);
  }

  settle(written: () => void): void {
    this.#parts.underWay.settled(this);
    this.#parts.driver.settle(this.exchange, written);
  }

  explain(): string | undefined {
    return this.#parts.explain(this.exchange);
  }
}

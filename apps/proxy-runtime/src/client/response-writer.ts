import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import type { ExchangeEnd } from '@portcullis/platform/traffic/exchange-end';
import { renderBudgetHeaders } from '../budgets/budget-headers.ts';
import { renderExceptionFrame } from '../dialects/aws/exception-frame.ts';
import type { Dialect, RenderedDenial, StreamForm } from '../dialects/shared/dialect.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { explainHeader } from '../target/target-request.ts';
import { setHeader, type HeaderList } from '../http/header-list.ts';
import type { Progress } from '../exchange/progress.ts';
import { renderDenial, renderDenialFacts } from './render-denial.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** What a writer needs of the sink that it writes for. */
export interface WriterSink {
  readonly exchange: Exchange;
  readonly progress: Progress;
  readonly response: ServerResponse;
  /** To be called once. @param written told when the records are */
  settle(written: () => void): void;
  /** What an admin who asked for it may read of the decisions; undefined for every other client. */
  explain(): string | undefined;
}

interface AnswerHead {
  readonly status: number;
  readonly statusText: string | undefined;
  readonly headers: HeaderList;
}

/** Longer chunks are not copied. */
const maxCopiedBytes = 4_096;

const lineEnd = Buffer.from('\r\n');
const chunkHead = (bytes: Buffer): string => `${bytes.length.toString(16)}\r\n`;

/** A chunk of a body as it stands on the wire. */
function renderChunk(bytes: Buffer): Buffer {
  const head = chunkHead(bytes);
  const chunk = Buffer.allocUnsafe(head.length + bytes.length + lineEnd.length);
  chunk.write(head, 'latin1');
  chunk.set(bytes, head.length);
  chunk.set(lineEnd, head.length + bytes.length);
  return chunk;
}

/**
 * The one exit of an exchange towards its client. It settles the exchange exactly once, and sends
 * the bytes with which a client takes its answer as complete only after the records are written: an
 * answer that was seen has left its evidence, even if the process ends a moment later.
 */
export class ResponseWriter {
  readonly #sink: WriterSink;
  readonly #exchange: Exchange;
  readonly #progress: Progress;
  readonly #response: ServerResponse;
  #settled = false;
  #head: AnswerHead | undefined;
  /** Bytes that wait for the records of a settled stream to be written; undefined when none need to. */
  #waiting: Buffer[] | undefined;
  #trailers: OutgoingHttpHeaders | undefined;
  #ended = false;

  constructor(sink: WriterSink) {
    this.#sink = sink;
    this.#exchange = sink.exchange;
    this.#progress = sink.progress;
    this.#response = sink.response;
  }

  /** True once the client has, or is about to get, the last byte. */
  get settled(): boolean {
    return this.#settled;
  }

  /** True once bytes of an answer have been given to the connection. */
  get begun(): boolean {
    return this.#response.headersSent;
  }

  /** True while the client takes bytes slower than they come. */
  get congested(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Sends a complete answer. */
  reply({ status, statusText, headers, body }: Reply): void {
    if (this.settled) return;
    this.begin(status, Object.entries(headers).flat(), statusText);
    this.#progress.responseBytes = body.length;
    this.#settleStream();
    this.#write(body);
    this.#end();
  }

  /**
   * Refuses the exchange, or breaks off a stream that has begun. What comes after the event with which
   * a stream is complete changes nothing for the client but that the stream ends here.
   * @param told what to say here, where the refusal itself is told elsewhere
   */
  deny(denial: Denial, stage: string, told?: Reply): void {
    if (this.settled) {
      if (!this.#ended) this.#end();
      return;
    }
    this.#progress.end(denial.reason, stage);
    if (this.begun) this.#breakOff(denial);
    else this.reply(told ?? renderDenial(this.#exchange, denial));
  }

  /** Prepares an answer; its head leaves with the first bytes. Takes the headers for its own. */
  begin(status: number, headers: HeaderList, statusText?: string): void {
    this.#head = { status, statusText, headers };
    this.#progress.statusCode = status;
  }

  /** Sends the head before there are any bytes. */
  open(): void {
    if (this.begun || this.settled || this.#response.destroyed) return;
    this.#writeHead();
    this.#response.flushHeaders();
  }

  send(units: readonly StreamUnit[]): void {
    for (const unit of units) {
      this.#progress.responseBytes += unit.bytes.length;
      if (unit.sequence !== undefined) this.#progress.sequence = unit.sequence;
      if (unit.terminal && !this.settled) this.#settleStream();
      this.#write(unit.bytes);
    }
  }

  /** Fields that the target sent behind its answer. */
  trail(trailers: OutgoingHttpHeaders): void {
    this.#trailers = trailers;
  }

  /** The stream is complete. @param ending why it ends before its target has ended it, where that is to be recorded */
  finish(ending?: ExchangeEnd): void {
    if (!this.settled) {
      if (ending !== undefined) this.#progress.ending = ending;
      this.#settleStream();
    }
    this.#end();
  }

  /** The client has gone: nothing can be sent any more, everything is still recorded. */
  abandon(): void {
    if (this.settled) return;
    this.#progress.end('client_closed', 'forward');
    if (!this.begun) this.#progress.statusCode = 499;
    this.#settle(() => undefined);
  }

  /** A stream's own error event where the dialect has one, else a connection cut short, which no client takes for an end. */
  #breakOff(denial: Denial): void {
    const { streamForm } = this.#exchange;
    if (streamForm === undefined) {
      this.#ended = true;
      this.#settle(() => this.#response.destroy());
      return;
    }
    const { dialect } = this.#exchange;
    const facts = renderDenialFacts(this.#exchange, denial);
    this.#settleStream();
    this.#write(renderStreamEnd(dialect, facts, streamForm));
    this.#end();
  }

  #settle(written: () => void): void {
    this.#settled = true;
    this.#sink.settle(written);
  }

  /** Answers that are complete in one turn are all read first and then all settled: work of one kind follows its own. */
  #settleStream(): void {
    this.#settled = true;
    this.#waiting = [];
    queueMicrotask(() => this.#settleComplete());
  }

  #settleComplete(): void {
    this.#settle(() => {
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      if (this.#ended && !this.begun && this.#trailers === undefined) this.#sendWhole(waiting);
      else {
        for (const bytes of waiting) this.#write(bytes);
        if (this.#ended) this.#close();
      }
    });
  }

  #write(bytes: Buffer): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(bytes);
      return;
    }
    if (this.#response.destroyed) return;
    if (!this.begun) this.#writeHead();
    if (this.#response.chunkedEncoding) this.#writeChunk(bytes);
    else this.#response.write(bytes);
  }

  /**
   * Node would gather the chunks of a turn and give the connection the length, the bytes and the line ends one
   * by one, which costs more than a copy. All chunks go this way: those that Node gathers would leave behind the others.
   */
  #writeChunk(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#response.chunkedEncoding = false;
    if (bytes.length <= maxCopiedBytes) this.#response.write(renderChunk(bytes));
    else for (const part of [chunkHead(bytes), bytes, lineEnd]) this.#response.write(part);
    this.#response.chunkedEncoding = true;
  }

  /** An answer of which nothing has left yet goes out in one piece. */
  #sendWhole(parts: readonly Buffer[]): void {
    if (this.#response.destroyed) return;
    const [first] = parts;
    const body = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    // An answer without a body may tell the length that a body would have had.
    this.#writeHead(body.length === 0 ? undefined : body.length);
    this.#response.end(body);
  }

  /** What is said here stands where the target says the same. */
  #writeHead(bodyLength?: number): void {
    const { status, statusText, headers } = this.#head ?? { status: 500, statusText: undefined, headers: [] };
    const { id, budget, proxy } = this.#exchange;
    if (bodyLength !== undefined) setHeader(headers, 'content-length', String(bodyLength));
    setHeader(headers, 'x-request-id', id);
    const told = renderBudgetHeaders(budget);
    for (const name in told) setHeader(headers, name, told[name] as string);
    const explanation = proxy.explains ? this.#sink.explain() : undefined;
    if (explanation !== undefined) setHeader(headers, explainHeader, explanation);
    if (statusText === undefined) this.#response.writeHead(status, headers);
    else this.#response.writeHead(status, statusText, headers);
  }

  #close(): void {
    if (this.#trailers !== undefined && !this.#response.destroyed) {
      if (!this.begun) this.#writeHead();
      this.#response.addTrailers(this.#trailers);
    }
    this.#response.end();
  }

  #end(): void {
    this.#ended = true;
    if (this.#waiting === undefined) this.#close();
  }
}

/** What a client hears last of a stream that is broken off. */
function renderStreamEnd(dialect: Dialect, facts: RenderedDenial, form: StreamForm): Buffer {
  if (form === 'frames') return renderExceptionFrame(facts);
  if (form === 'lines') return Buffer.from(`${JSON.stringify(dialect.renderNativeError(facts))}\n`);
  return Buffer.from(dialect.renderStreamError(facts, form));
}

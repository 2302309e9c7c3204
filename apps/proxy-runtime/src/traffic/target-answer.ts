import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorReason } from '@portcullis/contracts/errors';
import type { Dispatcher } from 'undici';
import type { ChainVerdict, ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { batchPerTick } from '@portcullis/platform/event-loop/batch-per-tick';
import { findHiddenHeaders } from '../inspection/answer-headers.ts';
import { answerTarget } from '../mcp/answer-target.ts';
import { MessageStream } from '../mcp/message-stream.ts';
import { isStanding, mayStream } from '../mcp/message-streams.ts';
import type { LegacySseStreams } from '../mcp/legacy-sse-streams.ts';
import { renderSession } from '../mcp/render-session.ts';
import type { SessionSeals } from '../mcp/session-seals.ts';
import type { StandingStreams } from '../mcp/standing-streams.ts';
import { canDecode, openAnswerDecoder, type AnswerDecoder } from './answer-decoder.ts';
import type { ResponseWriter } from './response-writer.ts';
import { setHeader, type HeaderList } from './header-list.ts';
import { withoutDoubles } from './without-doubles.ts';
import { isHopByHop, namedByConnection } from './hop-by-hop.ts';
import { openResponseReader } from './open-response-reader.ts';
import type { ResponseReader } from './readers/response-reader.ts';
import type { StreamUnit } from './stream-unit.ts';
import { mayRepeat, readTargetFault } from './target-fault.ts';
import type { TargetPool } from './target-pool.ts';

export interface TargetAnswerParts {
  readonly exchange: Exchange;
  readonly writer: ResponseWriter;
  readonly response: ServerResponse;
  readonly link: TargetPool;
  readonly chain: ResponseChain<StreamUnit>;
  readonly maxInspectedBytes: number;
  readonly clientStallMs: number;
  /** Those of the port that the exchange came to. */
  readonly standing: StandingStreams;
  readonly legacySse: LegacySseStreams;
  readonly sessions: SessionSeals;
  /** How long a stream of messages may be silent towards its client, in milliseconds. */
  readonly keepAliveMs: number;
  /** Records what was found so far, of a stream whose end may be hours away. */
  readonly recordFindings: () => void;
  /** Told of the answer that is on its way. */
  readonly onSent: (answer: TargetAnswer) => void;
  /** Told why a target failed, for the log. */
  readonly onTargetError: (error: Error, reason: ErrorReason) => void;
}

/** What is held back, let go and broken off: the answer as it comes, or as it is decoded. */
type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** Name under which the forwarding itself appears among the stages. */
export const stageName = 'forward';

/** For targets that have no bound of their own on pauses within an answer. */
const maxPauseMs = 300_000;

/** Receives a target's answer and hands it through the response chain to the client. */
export class TargetAnswer implements Dispatcher.DispatchHandler {
  readonly #parts: TargetAnswerParts;
  readonly #repeat: () => void;
  #reader: ResponseReader | undefined;
  #flow: Flow | undefined;
  #encoding: string | undefined;
  #decoder: AnswerDecoder | undefined;
  #started = false;
  #answered = false;
  #repeated = false;
  #over = false;
  /** What came in this turn of the event loop and waits for its end. */
  #arrived: Buffer[] = [];
  #last: 'end' | Error | undefined;
  #waits = false;
  #messages: MessageStream | undefined;
  #pauses: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;
  /** Runs while a client takes nothing. */
  #stall: NodeJS.Timeout | undefined;

  /** @param repeat sends the request once more */
  constructor(parts: TargetAnswerParts, repeat: () => void) {
    this.#parts = parts;
    this.#repeat = repeat;
    parts.response.on('close', () => this.#clientClosed());
    if (parts.chain.active) parts.chain.listen((verdict) => this.#takeLate(verdict));
    const { totalMs } = parts.exchange.proxy.target.timeouts;
    if (typeof totalMs !== 'number' || isStanding(parts.exchange)) return;
    this.#total = setTimeout(() => this.#outlast(), totalMs).unref();
  }

  /** The whole answer takes longer than the proxy grants it. */
  #outlast(): void {
    if (this.#over) return;
    const problem = 'its answer took too long';
    this.#tellProblem(new Error(problem), problem, 'target_timeout');
    this.breakOff({ reason: 'target_timeout' });
  }

  /** Ends the exchange before the target has, with a word to the client. */
  breakOff(denial: Denial): void {
    if (this.#over) return;
    this.#end();
    if (!this.#answered) this.#parts.link.gaveUp();
    this.#parts.writer.deny(denial, stageName);
    this.#flow?.abort(new Error(denial.reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#started = true;
    this.#flow = controller;
    if (this.#over) controller.abort(new Error('client closed'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, received: IncomingHttpHeaders): void {
    this.#answered = true;
    if (status < 200 || this.#over) return;
    const { exchange, writer, link, chain, maxInspectedBytes, sessions } = this.#parts;
    link.answered();
    exchange.targetStatus = status;
    exchange.trace?.targetAnswered(status);
    if (chain.active) exchange.trace?.beginInspection('response');
    const headers = withoutDoubles(received);
    const encoding = headers['content-encoding'];
    const isEncoded = encoding !== undefined && encoding !== 'identity' && exchange.request.method !== 'HEAD';
    if (isEncoded && !canDecode(encoding)) {
      this.#fail(controller, { reason: 'target_failed', message: `The target answered in ${encoding}, unasked` });
      return;
    }
    if (isEncoded) this.#encoding = encoding;
    const mayChange = chain.active && exchange.request.method !== 'HEAD';
    const rendered = renderClientHeaders(headers, {
      isDecoded: isEncoded,
      mayChange,
      hidden: findHiddenHeaders(exchange, headers),
    });
    const session = renderSession(exchange, headers, sessions);
    if (session !== undefined) setHeader(rendered, 'mcp-session-id', session);
    writer.begin(status, rendered);
    this.#reader = openResponseReader(exchange, headers['content-type'], maxInspectedBytes);
    if (exchange.streamForm === 'events' && exchange.proxy.type === 'mcp') this.#openMessages();
    else if (mayStream(exchange)) this.#watchPauses(controller);
  }

  /** What might have been a stream was asked for without a bound on its pauses, and is none. */
  #watchPauses(controller: Dispatcher.DispatchController): void {
    const { exchange } = this.#parts;
    this.#pauses = setTimeout(() => {
      const problem = 'its answer paused for too long';
      this.#tellProblem(new Error(problem), problem, 'target_timeout');
      this.#fail(controller, { reason: 'target_timeout' });
    }, exchange.proxy.target.timeouts.idleMs ?? maxPauseMs).unref();
  }

  #openMessages(): void {
    const { exchange, writer, standing, legacySse, keepAliveMs } = this.#parts;
    const end = () => this.#leave();
    this.#messages = new MessageStream({ exchange, writer, standing, legacySse, keepAliveMs, end, stage: stageName });
    this.#messages.stand();
  }

  /** The port closes, or is closed to this client, who may take his stream up elsewhere or learn why he cannot. */
  #leave(): void {
    this.#end();
    this.#parts.writer.finish();
    this.#flow?.abort(new Error('the proxy stops'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over || this.#reader === undefined) return;
    this.#pauses?.refresh();
    this.#arrived.push(chunk);
    this.#wait(controller);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (this.#over) return;
    this.#takeTrailers(trailers);
    this.#last = 'end';
    this.#wait(controller);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What has come before is not lost.
    if (this.#waits) this.#last = error;
    else this.#takeError(error);
  }

  #wait(controller: Dispatcher.DispatchController): void {
    if (this.#waits) return;
    this.#waits = true;
    batchPerTick(() => this.#takeArrived(controller));
  }

  #takeArrived(controller: Dispatcher.DispatchController): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    this.#waits = false;
    try {
      for (const chunk of arrived) this.#takeChunk(controller, chunk);
      if (this.#last instanceof Error) this.#takeError(this.#last);
      else if (this.#last === 'end') this.#takeEnd(controller);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#takeError(problem);
      controller.abort(problem);
    }
  }

  #takeChunk(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (this.#encoding === undefined) return this.#take(controller, chunk);
    this.#decoder ??= this.#openDecoder(controller, this.#encoding, chunk);
    if (!this.#decoder.write(chunk)) controller.pause();
  }

  #takeEnd(controller: Dispatcher.DispatchController): void {
    if (this.#over) return;
    if (this.#decoder === undefined) this.#finish(controller);
    else this.#decoder.end();
  }

  #takeTrailers(trailers: IncomingHttpHeaders): void {
    let told: IncomingHttpHeaders | undefined;
    let hidden: ReadonlySet<string> | undefined;
    for (const name in trailers) {
      hidden ??= findHiddenHeaders(this.#parts.exchange, trailers);
      if (!isHopByHop(name) && name !== 'content-length' && !hidden.has(name)) (told ??= {})[name] = trailers[name];
    }
    if (told !== undefined) this.#parts.writer.trail(told);
  }

  /** The target was asked for an answer as it is and compressed it all the same: policies and meters read what it holds. */
  #openDecoder(controller: Dispatcher.DispatchController, encoding: string, first: Buffer): AnswerDecoder {
    const decoder = openAnswerDecoder(encoding, first, this.#parts.maxInspectedBytes, {
      data: (chunk) => this.#take(flow, chunk),
      end: () => this.#finish(flow),
      drain: () => controller.resume(),
      error: (error) => {
        if (this.#over) return;
        this.#tellProblem(error, error.message, 'target_failed');
        this.#fail(flow, { reason: 'target_failed' });
      },
    });
    const flow: Flow = {
      pause() {
        decoder.pause();
        controller.pause();
      },
      resume() {
        decoder.resume();
        controller.resume();
      },
      abort: (reason) => controller.abort(reason),
    };
    this.#flow = flow;
    return decoder;
  }

  #take(flow: Flow, chunk: Buffer): void {
    if (this.#over || this.#reader === undefined) return;
    this.#passFrom(flow, this.#reader, (reader) => reader.push(chunk));
    if (this.#over) return;
    if (this.#parts.writer.congested) this.#pause(flow);
    else if (this.#parts.chain.isCongested()) flow.pause();
  }

  #finish(flow: Flow): void {
    if (this.#over || this.#reader === undefined) return;
    this.#passFrom(flow, this.#reader, (reader) => reader.end());
    if (this.#over) return;
    const { chain, writer } = this.#parts;
    const { units, cut, ended } = chain.end();
    this.#answerDropped();
    if (cut === null || writer.begun) writer.send(units);
    if (ended) this.#end();
    if (cut !== null) writer.deny(cut.denial, cut.stage);
    else if (ended) writer.finish();
  }

  #takeError(error: Error): void {
    if (this.#over) return;
    const { exchange, writer, link } = this.#parts;
    if (!this.#answered && !this.#repeated && mayRepeat(error, this.#started, exchange.request.method ?? '')) {
      this.#repeated = true;
      this.#started = false;
      this.#repeat();
      return;
    }
    this.#end();
    const { reason, problem, blamesTarget } = readTargetFault(error, this.#started);
    if (!this.#answered) {
      if (blamesTarget) link.failed(problem);
      else link.gaveUp();
    }
    this.#tellProblem(error, problem, reason);
    writer.deny({ reason }, stageName);
  }

  /** A reader gives up on an answer that is beyond its bounds. */
  #passFrom(flow: Flow, reader: ResponseReader, read: (reader: ResponseReader) => readonly StreamUnit[]): void {
    let units: readonly StreamUnit[];
    try {
      units = read(reader);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#tellProblem(problem, problem.message, 'target_failed');
      this.#fail(flow, { reason: 'target_failed' });
      return;
    }
    this.#pass(flow, units);
  }

  #pass(flow: Flow, units: readonly StreamUnit[]): void {
    const { chain, writer } = this.#parts;
    if (units.length > 0) this.#messages?.spoke();
    for (const unit of units) {
      if (!chain.active) {
        writer.send([unit]);
        continue;
      }
      const verdict = chain.push(unit);
      this.#messages?.announce();
      this.#answerDropped();
      this.#tellFindings();
      if (verdict.cut !== null) {
        // Before the first byte has left, a whole refusal says more than the harmless part of the answer.
        if (writer.begun) writer.send(verdict.units);
        this.#fail(flow, verdict.cut.denial, verdict.cut.stage);
        return;
      }
      writer.send(verdict.units);
    }
  }

  /** What a filter of the chain decided on its own. */
  #takeLate({ units, cut, ended }: ChainVerdict<StreamUnit>): void {
    const { chain, writer } = this.#parts;
    const flow = this.#flow;
    if (this.#over || flow === undefined) return;
    this.#answerDropped();
    if (cut === null || writer.begun) writer.send(units);
    if (cut !== null) this.#fail(flow, cut.denial, cut.stage);
    else if (ended) {
      this.#end();
      writer.finish();
    } else {
      this.#tellFindings();
      if (writer.congested) this.#pause(flow);
      else if (!chain.isCongested()) flow.resume();
    }
  }

  #answerDropped(): void {
    const { exchange, link } = this.#parts;
    if (exchange.dropped.length === 0) return;
    for (const message of exchange.dropped.splice(0)) answerTarget(exchange, link.dispatcher, message);
  }

  /** Whoever watches must not wait for the end of a stream of hours. */
  #tellFindings(): void {
    const { exchange, recordFindings } = this.#parts;
    const isUntold = exchange.findings.length > exchange.toldFindings;
    if (isUntold && exchange.streamForm === 'events' && exchange.proxy.type === 'mcp') recordFindings();
  }

  #tellProblem(error: Error, problem: string, reason: ErrorReason): void {
    this.#parts.exchange.targetProblem = problem;
    this.#parts.onTargetError(error, reason);
  }

  #end(): void {
    this.#over = true;
    this.#messages?.close();
    clearTimeout(this.#pauses);
    clearTimeout(this.#total);
    this.#decoder?.destroy();
    this.#parts.link.end();
    this.#parts.chain.close();
  }

  /** A client that takes nothing any more would keep a connection of the target for itself. */
  #pause(flow: Flow): void {
    flow.pause();
    // What was under way when the flow stopped comes all the same, and finds the client waited for.
    if (this.#stall !== undefined) return;
    const { response, clientStallMs } = this.#parts;
    this.#stall = setTimeout(() => response.destroy(), clientStallMs).unref();
    response.once('drain', () => {
      clearTimeout(this.#stall);
      this.#stall = undefined;
      flow.resume();
    });
  }

  #fail(flow: Flow, denial: Denial, stage = stageName): void {
    this.#end();
    this.#parts.writer.deny(denial, stage);
    flow.abort(new Error(denial.reason));
  }

  #clientClosed(): void {
    if (this.#over) return;
    this.#end();
    if (!this.#answered) this.#parts.link.gaveUp();
    this.#parts.writer.abandon();
    this.#flow?.abort(new Error('client closed'));
  }
}

interface HeaderChanges {
  /** The body leaves as what its coding holds. */
  readonly isDecoded: boolean;
  /** The body may leave in another length than the target's. */
  readonly mayChange: boolean;
  /** Names of those that policies keep here. */
  readonly hidden: ReadonlySet<string>;
}

function renderClientHeaders(
  headers: IncomingHttpHeaders,
  { isDecoded, mayChange, hidden }: HeaderChanges,
): HeaderList {
  const named = namedByConnection(headers.connection);
  // A stream may end in an event of our own.
  const hidesLength = isDecoded || mayChange || String(headers['content-type']).startsWith('text/event-stream');
  const rendered: HeaderList = [];
  for (const name in headers) {
    if (isHopByHop(name) || named?.has(name) === true || hidden.has(name)) continue;
    if ((isDecoded && name === 'content-encoding') || (hidesLength && name === 'content-length')) continue;
    const value = headers[name];
    if (value !== undefined) rendered.push(name, value);
  }
  return rendered;
}

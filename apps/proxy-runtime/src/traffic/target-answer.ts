import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorReason } from '@portcullis/contracts/errors';
import type { Dispatcher } from 'undici';
import type { ChainVerdict, ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { sendErrorToServer } from '../mcp-streams/server-errors.ts';
import { MessageStream } from '../mcp-streams/message-stream.ts';
import { isStanding, mayStream } from '../mcp-streams/stream-kind.ts';
import type { LegacySseStreams } from '../mcp-streams/legacy-sse-streams.ts';
import { renderSession } from '../mcp-streams/render-session.ts';
import type { SessionSeals } from '../mcp/session-seals.ts';
import type { StandingStreams } from '../mcp-streams/standing-streams.ts';
import { readAnswerAddresses } from '../target/answer-addresses.ts';
import { AnswerBody, type AnswerBodyListener, type Flow } from '../answers/answer-body.ts';
import { canDecode } from '../answers/answer-decoder.ts';
import { AnswerDeadlines } from '../answers/answer-deadlines.ts';
import { renderAnswerHeaders, renderAnswerTrailers } from '../client/answer-headers.ts';
import { ChunkBatch, type ChunkBatchListener } from '../answers/chunk-batch.ts';
import { ClientStall } from '../client/client-stall.ts';
import { stageName } from '../target/forward.ts';
import { addAddressFindings } from '../target/add-address-findings.ts';
import type { ResponseWriter } from '../client/response-writer.ts';
import { setHeader } from '../http/header-list.ts';
import { dropRepeatedHeaders } from '../http/repeated-headers.ts';
import { openResponseReader } from '../answers/open-response-reader.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { mayRepeat, readTargetFault } from '../target/target-fault.ts';
import type { TargetPool } from '../target/target-pool.ts';
import { readCostHeader } from '../usage/stated-cost.ts';

/** One request under way over HTTP, as its answer needs it. */
export interface HttpCall {
  readonly exchange: Exchange;
  readonly writer: ResponseWriter;
  readonly response: ServerResponse;
  readonly pool: TargetPool;
  /** Those of the port that the exchange came to. */
  readonly standing: StandingStreams;
}

/** What holds for all answers. */
export interface AnswerRules {
  readonly maxInspectedBytes: number;
  /** How long a client may take nothing of its answer, in milliseconds. */
  readonly clientStallMs: number;
  /** How long a stream of messages may be silent towards its client, in milliseconds. */
  readonly keepAliveMs: number;
  readonly legacySse: LegacySseStreams;
  readonly sessions: SessionSeals;
  /** Records what was found so far, of a stream whose end may be hours away. */
  readonly recordFindings: (exchange: Exchange) => void;
  /** Told why a target failed, for the log. */
  readonly onTargetError: (exchange: Exchange, error: Error, reason: ErrorReason) => void;
}

export interface TargetAnswerParts {
  readonly call: HttpCall;
  readonly chain: ResponseChain<StreamUnit>;
  readonly rules: AnswerRules;
}

/** For targets that have no bound of their own on pauses within an answer. */
const maxPauseMs = 300_000;

/**
 * How far an answer has come, with what is valid then alone:
 *
 *     sent ──► started ──► answering ──► over
 *      ▲          │
 *      └──────────┘ once, where the connection broke before a byte of an answer
 *
 * From each state it may be over: the target failed, its client left, a filter cut it or the port closes.
 */
type AnswerState =
  /** No connection has taken the request yet. */
  | { readonly name: 'sent'; readonly flow: undefined }
  /** A connection has: the target may be working on it. */
  | { readonly name: 'started'; readonly flow: Flow }
  /** The head of the answer has come. */
  | { readonly name: 'answering'; readonly flow: Flow; readonly body: AnswerBody; readonly messages?: MessageStream }
  | { readonly name: 'over'; readonly flow: Flow | undefined };

const sent: AnswerState = { name: 'sent', flow: undefined };

/** Receives a target's answer and hands it through the response chain to the client. */
export class TargetAnswer implements Dispatcher.DispatchHandler, ChunkBatchListener, AnswerBodyListener {
  readonly #call: HttpCall;
  readonly #chain: ResponseChain<StreamUnit>;
  readonly #rules: AnswerRules;
  readonly #repeat: () => void;
  readonly #batch = new ChunkBatch(this);
  readonly #deadlines = new AnswerDeadlines((problem) => this.#outlast(problem));
  readonly #stall: ClientStall;
  #state = sent;
  #isRepeated = false;

  /** @param repeat sends the request once more */
  constructor({ call, chain, rules }: TargetAnswerParts, repeat: () => void) {
    this.#call = call;
    this.#chain = chain;
    this.#rules = rules;
    this.#repeat = repeat;
    this.#stall = new ClientStall(call.response, rules.clientStallMs);
    call.response.on('close', () => this.#clientClosed());
    if (chain.active) chain.listen((verdict) => this.#takeLate(verdict));
    const { totalMs } = call.exchange.proxy.target.timeouts;
    if (typeof totalMs === 'number' && !isStanding(call.exchange)) this.#deadlines.boundWhole(totalMs);
  }

  /** Ends the exchange before the target has, with a word to the client. */
  breakOff(denial: Denial, stage = stageName): void {
    if (!this.#end()) return;
    this.#call.writer.deny(denial, stage);
    this.#state.flow?.abort(new Error(denial.reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#state.name === 'over') controller.abort(new Error('client closed'));
    else this.#state = { name: 'started', flow: controller };
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, received: IncomingHttpHeaders): void {
    if (status < 200 || this.#state.name === 'over') return;
    const { exchange, pool } = this.#call;
    pool.answered();
    exchange.targetStatus = status;
    if (exchange.forwardedAt !== undefined) exchange.targetWaitMs = performance.now() - exchange.forwardedAt;
    exchange.statedCostMicroUsd = readCostHeader(received);
    exchange.trace?.targetAnswered(status);
    if (this.#chain.active) exchange.trace?.beginInspection('response');
    this.#begin(controller, status, dropRepeatedHeaders(received));
  }

  #begin(controller: Flow, status: number, headers: IncomingHttpHeaders): void {
    const { exchange, writer } = this.#call;
    const { maxInspectedBytes, sessions } = this.#rules;
    const hasBody = exchange.request.method !== 'HEAD';
    const coding = headers['content-encoding'];
    const encoding = coding === 'identity' || !hasBody ? undefined : coding;
    if (encoding !== undefined && !canDecode(encoding)) {
      return this.breakOff({ reason: 'target_failed', message: `The target answered in ${encoding}, unasked` });
    }
    const addresses = readAnswerAddresses(exchange, status, headers);
    const elsewhere = addresses.length === 0 ? undefined : addAddressFindings(exchange, addresses);
    if (elsewhere !== undefined) return this.#staysHere(elsewhere);
    const changes = { isDecoded: encoding !== undefined, mayChange: this.#chain.active && hasBody, addresses };
    const rendered = renderAnswerHeaders(exchange, headers, changes);
    const session = renderSession(exchange, headers, sessions);
    if (session !== undefined) setHeader(rendered, 'mcp-session-id', session);
    writer.begin(status, rendered);
    const reader = openResponseReader(exchange, headers['content-type'], maxInspectedBytes);
    this.#answering(new AnswerBody({ controller, reader, encoding, freeBytes: maxInspectedBytes, listener: this }));
  }

  #answering(body: AnswerBody): void {
    const { exchange, writer, standing } = this.#call;
    const { legacySse, keepAliveMs } = this.#rules;
    if (exchange.streamForm === 'events' && exchange.proxy.type === 'mcp') {
      const end = (reason?: ErrorReason) => this.#leave(reason);
      const messages = new MessageStream({ exchange, writer, standing, legacySse, keepAliveMs, end });
      this.#state = { name: 'answering', flow: body, body, messages };
      messages.stand();
    } else {
      this.#state = { name: 'answering', flow: body, body };
      // What might have been a stream was asked for without a bound on its pauses, and is none.
      if (mayStream(exchange)) this.#deadlines.boundPauses(exchange.proxy.target.timeouts.idleMs ?? maxPauseMs);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state.name !== 'answering') return;
    this.#deadlines.refresh();
    this.#batch.push(chunk);
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (this.#state.name !== 'answering') return;
    const rendered = renderAnswerTrailers(this.#call.exchange, trailers);
    if (rendered !== undefined) this.#call.writer.trail(rendered);
    this.#batch.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#batch.fail(error);
  }

  takeChunk(chunk: Buffer): void {
    if (this.#state.name === 'answering') this.#state.body.push(chunk);
  }

  takeEnd(): void {
    if (this.#state.name === 'answering') this.#state.body.end();
  }

  takeError(error: Error): void {
    const isStarted = this.#state.name !== 'sent';
    if (this.#mayRepeat(error)) {
      this.#isRepeated = true;
      this.#state = sent;
      this.#repeat();
      return;
    }
    const { reason, problem, blamesTarget } = readTargetFault(error, isStarted);
    if (!this.#end(blamesTarget ? problem : undefined)) return;
    this.#tellProblem(error, problem, reason);
    this.#call.writer.deny({ reason }, stageName);
  }

  breakDown(error: Error): void {
    this.takeError(error);
    this.#state.flow?.abort(error);
  }

  takeUnits(units: readonly StreamUnit[]): void {
    const { writer } = this.#call;
    this.#pass(units);
    const state = this.#state;
    if (state.name !== 'answering') return;
    if (writer.congested) this.#stall.hold(state.flow);
    else if (this.#chain.isCongested()) state.flow.pause();
  }

  takeLastUnits(units: readonly StreamUnit[]): void {
    this.#pass(units);
    if (this.#state.name === 'answering') this.#finish();
  }

  #pass(units: readonly StreamUnit[]): void {
    const state = this.#state;
    if (state.name !== 'answering') return;
    const chain = this.#chain;
    const { writer } = this.#call;
    if (units.length > 0) state.messages?.spoke();
    for (const unit of units) {
      if (!chain.active) {
        writer.send([unit]);
        continue;
      }
      const verdict = chain.push(unit);
      state.messages?.announce();
      this.#answerDropped();
      this.#tellFindings();
      if (verdict.cut !== null) {
        // Before the first byte has left, a whole refusal says more than the harmless part of the answer.
        if (writer.begun) writer.send(verdict.units);
        return this.breakOff(verdict.cut.denial, verdict.cut.stage);
      }
      writer.send(verdict.units);
    }
  }

  #finish(): void {
    const { writer } = this.#call;
    const { units, cut, ended } = this.#chain.end();
    this.#answerDropped();
    if (cut === null || writer.begun) writer.send(units);
    if (ended) this.#end();
    if (cut !== null) writer.deny(cut.denial, cut.stage);
    else if (ended) writer.finish();
  }

  takeBodyFault(error: Error): void {
    if (this.#state.name === 'over') return;
    this.#tellProblem(error, error.message, 'target_failed');
    this.breakOff({ reason: 'target_failed' });
  }

  #staysHere(elsewhere: string): void {
    const problem = `The target redirects to ${elsewhere}, which is not below the address of the proxy's target`;
    this.#tellProblem(new Error(problem), problem, 'target_redirected');
    this.breakOff({ reason: 'target_redirected' });
  }

  /** What a filter of the chain decided on its own. */
  #takeLate({ units, cut, ended }: ChainVerdict<StreamUnit>): void {
    const state = this.#state;
    if (state.name !== 'answering') return;
    const chain = this.#chain;
    const { writer } = this.#call;
    this.#answerDropped();
    if (cut === null || writer.begun) writer.send(units);
    if (cut !== null) this.breakOff(cut.denial, cut.stage);
    else if (ended) {
      this.#end();
      writer.finish();
    } else {
      this.#tellFindings();
      if (writer.congested) this.#stall.hold(state.flow);
      else if (!chain.isCongested()) state.flow.resume();
    }
  }

  /** The answer takes longer than the proxy grants it. */
  #outlast(problem: string): void {
    if (this.#state.name === 'over') return;
    this.#tellProblem(new Error(problem), problem, 'target_timeout');
    this.breakOff({ reason: 'target_timeout' });
  }

  /** The port closes, or is closed to this client, who may take his stream up elsewhere or learn why he cannot. */
  #leave(reason: ErrorReason | undefined): void {
    if (!this.#end()) return;
    this.#call.writer.finish(reason && { reason, stage: stageName });
    this.#state.flow?.abort(new Error('the proxy stops'));
  }

  #clientClosed(): void {
    if (!this.#end()) return;
    this.#call.writer.abandon();
    this.#state.flow?.abort(new Error('client closed'));
  }

  #mayRepeat(error: Error): boolean {
    const { name } = this.#state;
    if (this.#isRepeated || (name !== 'sent' && name !== 'started')) return false;
    return mayRepeat(error, name === 'started', this.#call.exchange.request.method ?? '');
  }

  /**
   * Nothing more is taken from the target.
   * @param blame why the target is to blame for that, if it is
   * @returns false when that was so before
   */
  #end(blame?: string): boolean {
    const before = this.#state;
    if (before.name === 'over') return false;
    this.#state = { name: 'over', flow: before.flow };
    const { pool } = this.#call;
    if (before.name === 'answering') {
      before.messages?.close();
      before.body.close();
    } else if (blame === undefined) pool.gaveUp();
    else pool.failed(blame);
    this.#deadlines.clear();
    pool.end();
    this.#chain.close();
    return true;
  }

  #answerDropped(): void {
    const { exchange, pool } = this.#call;
    if (exchange.dropped.length === 0) return;
    for (const message of exchange.dropped.splice(0)) sendErrorToServer(exchange, pool.dispatcher, message);
  }

  /** Those who watch must not wait for the end of a stream of hours. */
  #tellFindings(): void {
    const { exchange } = this.#call;
    const isUntold = exchange.findings.length > exchange.alertedFindings;
    if (isUntold && exchange.streamForm === 'events' && exchange.proxy.type === 'mcp')
      this.#rules.recordFindings(exchange);
  }

  #tellProblem(error: Error, problem: string, reason: ErrorReason): void {
    const { exchange } = this.#call;
    exchange.targetProblem = problem;
    this.#rules.onTargetError(exchange, error, reason);
  }
}

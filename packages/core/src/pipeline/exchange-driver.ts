import type { ProxyType } from '@portcullis/contracts/records';
import {
  compileForwardStage,
  compileRequestStages,
  type ExchangeSink,
  type Forwarded,
  type Outcome,
  type PipelineObserver,
} from './engine.ts';
import { compileResponseStages, type ResponseChain } from './response-chain.ts';
import { compileSettleStages } from './settle.ts';
import type { ForwardStage, RequestStage, ResponseStage, Row, SettleStage } from './stage.ts';

/** Everything that one app does to its traffic, in order. */
export interface Pipeline<Exchange, Unit, Forwarding> {
  readonly request: readonly Row<RequestStage<Exchange>>[];
  readonly forward: Row<ForwardStage<Forwarding>>;
  readonly response: readonly Row<ResponseStage<Exchange, Unit>>[];
  readonly settle: readonly Row<SettleStage<Exchange>>[];
}

export interface ExchangeObserver<Exchange> extends PipelineObserver<Exchange> {
  /** Told of each exchange behind its settle stages. */
  settled(exchange: Exchange): void;
}

export interface DriverParts<Exchange, Unit, Forwarding> {
  readonly pipeline: Pipeline<Exchange, Unit, Forwarding>;
  readonly observer: ExchangeObserver<Exchange>;
  /** Writes what the settle stages recorded, and reports when that is done. */
  readonly write: (exchange: Exchange, written?: () => void) => void;
}

/** Runs the rows of a table for exchanges of one type, whichever wire they came over. */
export class ExchangeDriver<Exchange, Unit, Forwarding extends Forwarded<Exchange>> {
  readonly #runRequestStages: (exchange: Exchange) => Outcome | Promise<Outcome>;
  readonly #runSettleStages: (exchange: Exchange) => void;
  readonly #runStagesWhileOpen: (exchange: Exchange) => void;
  readonly #observer: ExchangeObserver<Exchange>;
  readonly #write: DriverParts<Exchange, Unit, Forwarding>['write'];
  /** Sends one to its target, by the row that does so. */
  readonly forward: (forwarding: Forwarding) => void;
  /** Opens the response stages for the answer to one. */
  readonly openChain: (exchange: Exchange) => ResponseChain<Unit>;

  constructor(type: ProxyType, { pipeline, observer, write }: DriverParts<Exchange, Unit, Forwarding>) {
    const { request, forward, response, settle } = pipeline;
    this.#runRequestStages = compileRequestStages(request, type, observer);
    this.forward = compileForwardStage(forward, observer);
    this.openChain = compileResponseStages(response, type, observer);
    this.#runSettleStages = compileSettleStages(settle, type, observer);
    this.#runStagesWhileOpen = compileSettleStages(
      settle.filter(({ whileOpen }) => whileOpen),
      type,
      observer,
    );
    this.#observer = observer;
    this.#write = write;
  }

  /** Runs the request stages and hands what they say to the sink. It stays synchronous until one of them waits. */
  drive(exchange: Exchange, sink: ExchangeSink): void | Promise<void> {
    const outcome = this.#runRequestStages(exchange);
    return outcome instanceof Promise ? outcome.then((late) => report(sink, late)) : report(sink, outcome);
  }

  /** To be called once of each exchange, however it ended. @param written called when its records are */
  settle(exchange: Exchange, written?: () => void): void {
    this.#runSettleStages(exchange);
    this.#observer.settled(exchange);
    this.#write(exchange, written);
  }

  /** Records what is known so far of an exchange whose end may be hours away. */
  settleWhileOpen(exchange: Exchange): void {
    this.#runStagesWhileOpen(exchange);
    this.#write(exchange);
  }
}

function report(sink: ExchangeSink, { verdict, stage }: Outcome): void | Promise<void> {
  if (verdict.kind === 'next') return sink.forward();
  return verdict.kind === 'deny' ? sink.deny(verdict.denial, stage ?? '') : sink.reply(verdict.reply);
}

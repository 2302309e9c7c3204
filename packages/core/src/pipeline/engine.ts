import type { ProxyType } from '@portcullis/contracts/records';
import {
  deny,
  next,
  type Denial,
  type ForwardStage,
  type OnFault,
  type Reply,
  type RequestStage,
  type Row,
  type Verdict,
} from './stage.ts';

/** How the request phase ended and which stage ended it (null when every stage said `next`). */
export interface Outcome {
  readonly verdict: Verdict;
  readonly stage: string | null;
}

/** Told of every fault and every denial. Must not throw. */
export interface PipelineObserver<Exchange> {
  fault(stage: string, onFault: OnFault, error: unknown, exchange: Exchange): void;
  denied(stage: string, denial: Denial, exchange: Exchange): void;
}

/** What becomes of one exchange on its wire, as its request stages decide. */
export interface ExchangeSink {
  /** Every stage let it pass. */
  forward(): void | Promise<void>;
  reply(reply: Reply): void | Promise<void>;
  deny(denial: Denial, stage: string): void | Promise<void>;
}

/** What the row that forwards is handed, at least: an exchange, and how it is refused on its wire. */
export interface Forwarded<Exchange> extends Pick<ExchangeSink, 'deny'> {
  readonly exchange: Exchange;
}

const passed: Outcome = Object.freeze({ verdict: next, stage: null });

/**
 * Compiles the rows that serve `type` into one function. It stays synchronous until a stage
 * really waits, and it is the only place that catches what a stage throws.
 */
export function compileRequestStages<Exchange>(
  table: readonly Row<RequestStage<Exchange>>[],
  type: ProxyType,
  observer: PipelineObserver<Exchange>,
): (exchange: Exchange) => Outcome | Promise<Outcome> {
  const rows = table.filter(({ on }) => on.includes(type));

  const settleFault = (
    { stage, onFault }: Row<RequestStage<Exchange>>,
    error: unknown,
    exchange: Exchange,
  ): Verdict => {
    const meaning = stage.maySkip?.holds(exchange) === true ? 'degrade' : onFault;
    observer.fault(stage.name, meaning, error, exchange);
    return meaning === 'deny' ? deny('internal_error') : next;
  };

  const end = (stage: RequestStage<Exchange>, verdict: Verdict, exchange: Exchange): Outcome => {
    if (verdict.kind === 'deny') observer.denied(stage.name, verdict.denial, exchange);
    return { verdict, stage: stage.name };
  };

  const runFrom = (first: number, exchange: Exchange): Outcome | Promise<Outcome> => {
    for (let index = first; index < rows.length; index += 1) {
      const row = rows[index] as Row<RequestStage<Exchange>>;
      const { stage } = row;
      let verdict: Verdict | Promise<Verdict>;
      try {
        verdict = stage.run(exchange);
      } catch (error) {
        verdict = settleFault(row, error, exchange);
      }
      if (verdict instanceof Promise) {
        const goOn = (late: Verdict) =>
          late.kind === 'next' ? runFrom(index + 1, exchange) : end(stage, late, exchange);
        return verdict.then(goOn, (error: unknown) => goOn(settleFault(row, error, exchange)));
      }
      if (verdict.kind !== 'next') return end(stage, verdict, exchange);
    }
    return passed;
  };

  return (exchange) => runFrom(0, exchange);
}

/** Compiles the row that sends exchanges to their targets; when it breaks, the exchange is refused. */
export function compileForwardStage<Exchange, Forwarding extends Forwarded<Exchange>>(
  { stage, onFault }: Row<ForwardStage<Forwarding>>,
  observer: PipelineObserver<Exchange>,
): (forwarding: Forwarding) => void {
  return (forwarding) => {
    try {
      stage.run(forwarding);
    } catch (error) {
      observer.fault(stage.name, onFault, error, forwarding.exchange);
      void forwarding.deny({ reason: 'internal_error' }, stage.name);
    }
  };
}

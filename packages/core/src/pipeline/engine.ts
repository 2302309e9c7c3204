import { deny, next, type Denial, type OnFault, type ProxyType, type RequestStage, type Verdict } from './stage.ts';

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

const passed: Outcome = Object.freeze({ verdict: next, stage: null });

/**
 * Compiles the rows that serve `protocol` into one function. It stays synchronous until a stage
 * really waits, and it is the only place that catches what a stage throws.
 */
export function compileRequestStages<Exchange>(
  stages: readonly RequestStage<Exchange>[],
  protocol: ProxyType,
  observer: PipelineObserver<Exchange>,
): (exchange: Exchange) => Outcome | Promise<Outcome> {
  const rows = stages.filter((stage) => stage.on.includes(protocol));

  const settleFault = (stage: RequestStage<Exchange>, error: unknown, exchange: Exchange): Verdict => {
    observer.fault(stage.name, stage.onFault, error, exchange);
    return stage.onFault === 'deny' ? deny('internal_error') : next;
  };

  const end = (stage: RequestStage<Exchange>, verdict: Verdict, exchange: Exchange): Outcome => {
    if (verdict.kind === 'deny') observer.denied(stage.name, verdict.denial, exchange);
    return { verdict, stage: stage.name };
  };

  const runFrom = (first: number, exchange: Exchange): Outcome | Promise<Outcome> => {
    for (let index = first; index < rows.length; index += 1) {
      const stage = rows[index] as RequestStage<Exchange>;
      let verdict: Verdict | Promise<Verdict>;
      try {
        verdict = stage.run(exchange);
      } catch (error) {
        verdict = settleFault(stage, error, exchange);
      }
      if (verdict instanceof Promise) {
        const goOn = (late: Verdict) =>
          late.kind === 'next' ? runFrom(index + 1, exchange) : end(stage, late, exchange);
        return verdict.then(goOn, (error: unknown) => goOn(settleFault(stage, error, exchange)));
      }
      if (verdict.kind !== 'next') return end(stage, verdict, exchange);
    }
    return passed;
  };

  return (exchange) => runFrom(0, exchange);
}

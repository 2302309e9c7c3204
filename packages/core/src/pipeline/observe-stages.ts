import type { RequestStage, ResponseFilter, ResponseStage, Row, StreamVerdict, Verdict } from './stage.ts';

/** Called before a stage; the answer is called once behind it, with nothing where the stage broke. */
export type ObserveStage<Exchange> = (exchange: Exchange, stage: string) => (verdict: Verdict | undefined) => void;

/** The same row, with each run of its stage told. */
export function observeRequestRow<Exchange>(
  row: Row<RequestStage<Exchange>>,
  observe: ObserveStage<Exchange>,
): Row<RequestStage<Exchange>> {
  const { stage } = row;
  return {
    ...row,
    stage: {
      name: stage.name,
      ...(stage.maySkip && { maySkip: stage.maySkip }),
      run(exchange) {
        const end = observe(exchange, stage.name);
        const told = (verdict: Verdict): Verdict => {
          end(verdict);
          return verdict;
        };
        const failed = (error: unknown): never => {
          end(undefined);
          throw error;
        };
        try {
          const verdict = stage.run(exchange);
          return verdict instanceof Promise ? verdict.then(told, failed) : told(verdict);
        } catch (error) {
          return failed(error);
        }
      },
    },
  };
}

/** Stands around each question to the filter of an exchange, whose verdict it answers. */
export type FilterObserver<Unit> = (
  given: Unit | undefined,
  question: () => StreamVerdict<Unit>,
) => StreamVerdict<Unit>;

/** The same row, with all that its filters decide told. */
export const observeResponseRow = <Exchange, Unit>(
  row: Row<ResponseStage<Exchange, Unit>>,
  observe: (exchange: Exchange, stage: string) => FilterObserver<Unit>,
): Row<ResponseStage<Exchange, Unit>> => ({
  ...row,
  stage: {
    name: row.stage.name,
    open(exchange, wake) {
      const filter = row.stage.open(exchange, wake);
      return filter && new ObservedFilter(filter, observe(exchange, row.stage.name));
    },
  },
});

class ObservedFilter<Unit> implements ResponseFilter<Unit> {
  readonly #filter: ResponseFilter<Unit>;
  readonly #observe: FilterObserver<Unit>;

  constructor(filter: ResponseFilter<Unit>, observe: FilterObserver<Unit>) {
    this.#filter = filter;
    this.#observe = observe;
  }

  get waiting(): boolean {
    return this.#filter.waiting === true;
  }

  get congested(): boolean {
    return this.#filter.congested === true;
  }

  push(unit: Unit): StreamVerdict<Unit> {
    return this.#observe(unit, () => this.#filter.push(unit));
  }

  end(): StreamVerdict<Unit> {
    return this.#observe(undefined, () => this.#filter.end());
  }

  wake(): StreamVerdict<Unit> {
    return this.#observe(undefined, () => this.#filter.wake?.() ?? { kind: 'hold' });
  }

  close(): void {
    this.#filter.close?.();
  }
}

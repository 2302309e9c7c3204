import type { ChainVerdict, ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { Denial } from '@portcullis/core/pipeline/stage';

/** The answer of an agent was cut off by a stage. */
export class AnswerCut extends Error {
  readonly denial: Denial;
  readonly stage: string;

  constructor(denial: Denial, stage: string) {
    super(`cut by ${stage}: ${denial.reason}`);
    this.denial = denial;
    this.stage = stage;
  }
}

/**
 * What a chain lets pass of the units that are given to it, in their order; no more are taken while it holds as much as
 * it can.
 * @throws {AnswerCut} behind the last unit that may leave
 */
export async function* releaseUnits<Unit>(
  chain: ResponseChain<Unit>,
  units: AsyncIterable<Unit>,
): AsyncGenerator<Unit, void> {
  const late: ChainVerdict<Unit>[] = [];
  let wake = (): void => undefined;
  chain.listen((verdict) => {
    late.push(verdict);
    wake();
  });
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      if (late.length > 0) resolve();
      else wake = resolve;
    });
  let ended = false;
  function* take(verdicts: readonly ChainVerdict<Unit>[]): Generator<Unit, void> {
    for (const { units: released, cut, ended: isLast } of verdicts) {
      yield* released;
      if (cut !== null) throw new AnswerCut(cut.denial, cut.stage);
      ended ||= isLast;
    }
  }
  try {
    for await (const unit of units) {
      yield* take([...late.splice(0), chain.push(unit)]);
      while (chain.isCongested()) {
        await next();
        yield* take(late.splice(0));
      }
    }
    yield* take([...late.splice(0), chain.end()]);
    while (!ended) {
      await next();
      yield* take(late.splice(0));
    }
  } finally {
    chain.close();
  }
}

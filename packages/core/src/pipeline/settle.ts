import type { PipelineObserver } from './engine.ts';
import type { ProxyType, SettleStage } from './stage.ts';

/** Compiles the settle rows that serve `protocol`: each runs once, and the fault of one never keeps another from running. */
export function compileSettleStages<Exchange>(
  stages: readonly SettleStage<Exchange>[],
  protocol: ProxyType,
  observer: Pick<PipelineObserver<Exchange>, 'fault'>,
): (exchange: Exchange) => void {
  const rows = stages.filter((stage) => stage.on.includes(protocol));
  return (exchange) => {
    for (const stage of rows) {
      try {
        stage.run(exchange);
      } catch (error) {
        observer.fault(stage.name, 'degrade', error, exchange);
      }
    }
  };
}

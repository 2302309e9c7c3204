import type { ProxyType } from '@portcullis/contracts/records';
import type { PipelineObserver } from './engine.ts';
import type { Row, SettleStage } from './stage.ts';

/** Compiles the settle rows that serve `type`: each runs once, and the fault of one never keeps another from running. */
export function compileSettleStages<Exchange>(
  table: readonly Row<SettleStage<Exchange>>[],
  type: ProxyType,
  observer: Pick<PipelineObserver<Exchange>, 'fault'>,
): (exchange: Exchange) => void {
  const rows = table.filter(({ on }) => on.includes(type));
  return (exchange) => {
    for (const { stage, onFault } of rows) {
      try {
        stage.run(exchange);
      } catch (error) {
        observer.fault(stage.name, onFault, error, exchange);
      }
    }
  };
}

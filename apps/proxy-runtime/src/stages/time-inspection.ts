import type { RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

/** The stage, with the time it takes written down in the exchange: what inspection costs is a metric and a span of its own. */
export const timeInspection = (stage: RequestStage<Exchange>): RequestStage<Exchange> => ({
  ...stage,
  run(exchange) {
    const startedAt = performance.now();
    const isInspected = exchange.proxy.policies !== undefined;
    if (isInspected) exchange.trace?.beginInspection('request');
    const end = () => {
      exchange.inspectionMs = performance.now() - startedAt;
      if (isInspected) exchange.trace?.endInspection('request', exchange);
    };
    const verdict = stage.run(exchange);
    if (verdict instanceof Promise) return verdict.finally(end);
    end();
    return verdict;
  },
});

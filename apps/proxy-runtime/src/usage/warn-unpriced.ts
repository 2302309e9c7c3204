import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Logger } from '@portcullis/platform/log/logger';

interface WarningParts {
  readonly log: Logger;
  readonly bus: Bus;
}

/** Tells people that a model has no price: its cost is 0, and no budget sees it. */
export function warnUnpriced({ log, bus }: WarningParts, model: string): void {
  log.warn('the price of a model is not known, so its cost counts as 0', { model });
  const event: LiveEvent = {
    type: 'system_event',
    payload: {
      event: 'usage.model_unpriced',
      message: `The price of the model ${model} is not known, so its cost counts as 0 and no budget sees it`,
      severity: 'Medium',
      timestamp: new Date().toISOString(),
      details: { model },
    },
  };
  // An admin who missed it finds the log line and the metric.
  bus.publish(liveEventsTopic, event).catch(() => undefined);
}

import type { FigureSource } from '../listeners/proxy-figures.ts';
import type { StateReporter } from '../listeners/state-reporter.ts';
import type { SupervisorChannel } from './worker-messages.ts';

/** Tells the supervising process, which reports for all its workers. */
export const createChannelReporter = (channel: SupervisorChannel, figures: FigureSource): StateReporter => ({
  async report(report) {
    channel.send({ kind: 'states', ...report });
  },
  // The supervisor remembers.
  forget: () => undefined,
  isReported: () => Promise.resolve(true),
  async reportFigures() {
    channel.send({ kind: 'figures', figures: [...figures.all()] });
  },
  withdraw: () => Promise.resolve(),
});

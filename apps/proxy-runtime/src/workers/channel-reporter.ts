import type { StatsSource } from '../listeners/proxy-stats.ts';
import type { StateReporter } from '../listeners/state-reporter.ts';
import type { SupervisorChannel } from './worker-messages.ts';

/** Tells the supervising process, which reports for all its workers. */
export const createChannelReporter = (channel: SupervisorChannel, stats: StatsSource): StateReporter => ({
  async report(report) {
    channel.send({ kind: 'states', ...report });
  },
  // The supervisor remembers.
  forget: () => undefined,
  isReported: () => Promise.resolve(true),
  async reportStats() {
    channel.send({ kind: 'stats', stats: [...stats.all()] });
  },
  remove: () => Promise.resolve(),
});

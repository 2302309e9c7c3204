import { join } from 'node:path';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Service, ServiceHealth } from '@portcullis/platform/lifecycle/service';
import { WorkerPool } from '@portcullis/platform/lifecycle/worker-pool';
import { createReportJob } from '../listeners/report-job.ts';
import { createStateReporter } from '../listeners/state-reporter.ts';
import { withdrawStates } from '../listeners/withdraw-states.ts';
import { adoptSpools } from '../spools/adopt-spools.ts';
import { spoolNameOf } from '../spools/spool-name.ts';
import type { RuntimeReport } from '../listeners/state-reporter.ts';
import { mergeStates } from './merge-states.ts';
import { WorkerFigures } from './worker-figures.ts';
import type { WorkerMessage } from './worker-messages.ts';
import { WorkerSlots } from './worker-slots.ts';

const script = join(import.meta.dirname, '../worker.ts');
const figuresEveryMs = 5_000;

/**
 * The data plane in several processes that share the proxy ports. To everybody else it is one
 * runtime: this process reports, beats and answers for health, and carries no traffic itself.
 */
export function createSupervisor(infrastructure: Infrastructure, count: number): Service {
  const { database, instanceId } = infrastructure;
  const log = infrastructure.log.child({ service: 'proxy-runtime' });
  const states = new Map<number, RuntimeReport>();
  const health = new Map<number, ServiceHealth>();
  const figures = new WorkerFigures();
  const slots = new WorkerSlots();
  const reporter = createStateReporter(database, instanceId, figures);
  const keeper = createReportJob(reporter, log);
  let adopted: AsyncDisposable | undefined;
  let timer: NodeJS.Timeout | undefined;

  const reportStates = (): void => {
    const merged = mergeStates([...states.values()]);
    if (merged !== undefined) void keeper.report(merged);
  };

  const take = (worker: number, message: WorkerMessage, answer: (message: unknown) => void): void => {
    switch (message.kind) {
      case 'states':
        states.set(worker, message);
        return reportStates();
      case 'figures':
        return figures.set(worker, message.figures);
      case 'health':
        return void health.set(worker, message.health);
      case 'take slot':
        return answer({ kind: 'slot', call: message.call, taken: slots.take(worker, message.proxyId, message.limit) });
      case 'free slot':
        return slots.free(worker, message.proxyId);
      case 'target':
        return pool.tellOthers(worker, message);
    }
  };

  const pool = new WorkerPool({
    count,
    script,
    log,
    // The process itself ends half a second later, whatever is left.
    killAfterMs: infrastructure.config.SHUTDOWN_TIMEOUT + 2_000,
    onMessage: (worker, message, answer) => take(worker, message as WorkerMessage, answer),
    onEnd(worker) {
      // What it did with the proxies counts for nothing; the others go on.
      states.delete(worker);
      health.delete(worker);
      figures.settle(worker);
      slots.freeAll(worker);
      reportStates();
    },
  });

  const report = (): void => {
    const all = async () => {
      await keeper.reportLost();
      await reporter.reportFigures();
    };
    all().catch((error: unknown) => log.debug('figures could not be written', { reason: problemText(error) }));
  };

  return {
    name: 'proxy-runtime',
    opensPorts: true,

    async start() {
      const names = Array.from({ length: count }, (_, index) => spoolNameOf(index + 1));
      adopted = await adoptSpools(infrastructure, new Set(names), log);
      await pool.start();
      timer = setInterval(report, figuresEveryMs);
      log.info('workers serve the proxy ports', { workers: count });
    },

    health() {
      const { missing } = pool;
      const problems = [
        ...missing.map((worker) => `worker ${worker} does not serve`),
        ...[...health].flatMap(([worker, { problems }]) => problems.map((problem) => `worker ${worker}: ${problem}`)),
      ];
      if (missing.length === count) return { status: 'unhealthy', problems };
      return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
    },

    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await pool[Symbol.asyncDispose]();
      await adopted?.[Symbol.asyncDispose]();
      await withdrawStates(reporter, log);
    },
  };
}

import { join } from 'node:path';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import { createJob, disposeParts, startParts, type ServicePart } from '@portcullis/platform/service/service-part';
import { WorkerPool } from '@portcullis/platform/process/worker-pool';
import type { Logger } from '@portcullis/platform/log/logger';
import { StatsJob } from '../listeners/stats-job.ts';
import { createReportJob } from '../listeners/report-job.ts';
import { DatabaseReporter } from '../listeners/state-reporter.ts';
import { removeStates } from '../listeners/remove-states.ts';
import { adoptSpools } from '../data-plane/adopt-spools.ts';
import { spoolNameOf } from '../data-plane/spool-name.ts';
import { WorkerStats } from './worker-stats.ts';
import type { WorkerMessage } from './worker-messages.ts';
import { WorkerReports } from './worker-reports.ts';

const script = join(import.meta.dirname, '../worker.ts');

/**
 * The data plane in several processes that share the proxy ports. To all others it is one
 * runtime: this process reports, beats and answers for health, and carries no traffic itself.
 */
export function createSupervisor(infrastructure: Infrastructure, count: number): Service {
  const { database, instanceId } = infrastructure;
  const log = infrastructure.log.child({ service: 'proxy-runtime' });
  const stats = new WorkerStats();
  const reporter = new DatabaseReporter(database, instanceId, stats);
  const states = createReportJob(reporter, log);
  const reports = new WorkerReports({ states, stats });
  const pool = openWorkers(infrastructure, { count, log, reports });
  const names = Array.from({ length: count }, (_, index) => spoolNameOf(index + 1));

  /** In the order in which they start; in reverse they end. */
  const parts: readonly ServicePart[] = [
    { [Symbol.asyncDispose]: () => removeStates(reporter, log) },
    createJob(() => adoptSpools(infrastructure, new Set(names), log)),
    pool,
    new StatsJob({ states, reporter, log }),
  ];

  return {
    name: 'proxy-runtime',
    opensPorts: true,

    async start() {
      await startParts(parts);
      log.info('workers serve the proxy ports', { workers: count });
    },

    health() {
      const { missing } = pool;
      const problems = [...missing.map((worker) => `worker ${worker} does not serve`), ...reports.problems()];
      if (missing.length === count) return { status: 'unhealthy', problems };
      return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
    },

    [Symbol.asyncDispose]: () => disposeParts(parts),
  };
}

interface WorkersParts {
  readonly count: number;
  readonly log: Logger;
  readonly reports: WorkerReports;
}

function openWorkers({ config }: Infrastructure, { count, log, reports }: WorkersParts): WorkerPool {
  const pool: WorkerPool = new WorkerPool({
    count,
    script,
    log,
    // The process itself ends half a second later, with what is left in it.
    killAfterMs: config.SHUTDOWN_TIMEOUT + 2_000,
    onMessage(worker, told, answer) {
      const message = told as WorkerMessage;
      if (message.kind === 'target') pool.tellOthers(worker, message);
      else reports.take(worker, message, answer);
    },
    onEnd: (worker) => reports.forget(worker),
  });
  return pool;
}

import { join } from 'node:path';
import { countOpenFiles, readDatabaseBytes, readFolderBytes, readMetric, readRss, type Sample } from './sample.ts';

export interface Watch extends AsyncDisposable {
  readonly samples: readonly Sample[];
}

const everyMs = 1_000;
/** Reading all mappings holds the process up for a moment. */
const mappingsEvery = 10;

/** Looks at a gateway once a second. */
export function watch(parts: {
  readonly pid: number;
  readonly url: string;
  readonly dataDirectory: string;
  readonly countRequests: () => number;
}): Watch {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  let database = readDatabaseBytes(parts.pid);
  let running: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const metrics = await (await fetch(`${parts.url}/api/v1/metrics/prometheus`)).text();
    if (samples.length % mappingsEvery === 0) database = readDatabaseBytes(parts.pid);
    samples.push({
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      requests: parts.countRequests(),
      rss: readRss(parts.pid),
      database,
      heapUsed: readMetric(metrics, 'nodejs_heap_size_used_bytes'),
      external: readMetric(metrics, 'nodejs_external_memory_bytes'),
      openFiles: countOpenFiles(parts.pid, join(parts.dataDirectory, 'database')),
      spool: readFolderBytes(join(parts.dataDirectory, 'spool')),
      delayP99: 1_000 * readMetric(metrics, 'nodejs_eventloop_lag_p99_seconds'),
      delayMax: 1_000 * readMetric(metrics, 'nodejs_eventloop_lag_max_seconds'),
    });
  };
  const timer = setInterval(() => {
    // One that comes late is one that is missing, not one that waits.
    running ??= look()
      .catch(() => undefined)
      .finally(() => (running = undefined));
  }, everyMs);
  return {
    samples,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

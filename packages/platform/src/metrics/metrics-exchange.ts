import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Bus } from '../coordination/coordination.ts';
import { parseMetricsReport, readMetrics, type MetricFamily, type MetricsReport } from './metrics-report.ts';

/** Bus topic of the reports. */
const metricsTopic = 'metrics';
/** A process not heard of for so long is gone. */
const liveForMs = 30_000;
const maxInstances = 64;

export interface MetricsExchangeOptions {
  readonly registry: Registry;
  readonly bus: Bus;
  /** Of this process. */
  readonly instanceId: string;
}

/** Tells the other processes this one's metrics, now and every 5 seconds until disposed. */
export function publishMetrics(options: MetricsExchangeOptions & { readonly everyMs?: number }): Disposable {
  const { registry, bus, instanceId, everyMs = 5_000 } = options;
  const publish = async () => {
    const report: MetricsReport = { instance_id: instanceId, metrics: await readMetrics(registry) };
    await bus.publish(metricsTopic, report);
  };
  // While the bus is away no process can be told; the bus itself reports that.
  const tryToPublish = () => void publish().catch(() => {});
  tryToPublish();
  const timer = setInterval(tryToPublish, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export interface MetricsCollector extends AsyncDisposable {
  readonly contentType: string;
  /** Resolves once it listens. */
  start(): Promise<void>;
  /** The metrics of all processes in the text format; of this one alone while no other was heard. */
  render(): Promise<string>;
  /** The same as data, or of some families alone. */
  families(names?: readonly string[]): Promise<readonly MetricFamily[]>;
}

/**
 * Listens to the other processes' metrics and adds them up with this one's. Of a process that is
 * gone the counters stay: a sum that shrinks would read as a restart of all that are left.
 */
export function createMetricsCollector(
  options: MetricsExchangeOptions & { readonly nowMs?: () => number },
): MetricsCollector {
  const { registry, bus, instanceId, nowMs = () => performance.now() } = options;
  // In the order of the latest report, the longest silent first.
  const others = new Map<string, { readonly metrics: readonly MetricFamily[]; readonly seenAtMs: number }>();

  const subscriptions = new AsyncDisposableStack();

  const take = (message: unknown): void => {
    const report = parseMetricsReport(message);
    if (report === undefined || report.instance_id === instanceId) return;
    others.delete(report.instance_id);
    others.set(report.instance_id, { metrics: report.metrics, seenAtMs: nowMs() });
    const [longestSilent] = others.keys();
    if (others.size > maxInstances && longestSilent !== undefined) others.delete(longestSilent);
  };

  const addUp = async (): Promise<Registry> => {
    if (others.size === 0) return registry;
    const reports = [await readMetrics(registry)];
    for (const { metrics, seenAtMs } of others.values()) {
      const isLive = nowMs() - seenAtMs <= liveForMs;
      reports.push(isLive ? metrics : metrics.filter(({ type }) => type !== 'gauge'));
    }
    return AggregatorRegistry.aggregate(reports);
  };

  return {
    contentType: registry.contentType,
    start: async () => subscriptions.defer(await bus.subscribe(metricsTopic, take)),
    render: async () => (await addUp()).metrics(),
    families: async (names) => readMetrics(await addUp(), names),
    [Symbol.asyncDispose]: () => subscriptions.disposeAsync(),
  };
}

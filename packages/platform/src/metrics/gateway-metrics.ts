import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PoolStats } from '../database/database.ts';
import type { SpoolState } from '../spool/spool.ts';
import { countByLabels } from './count-by-labels.ts';

/** The gateway's metric families. Counting is cheap enough for the hot path. */
export type GatewayMetrics = TrafficMetrics & PolicyMetrics & DatabaseMetrics & SpoolMetrics & DeliveryMetrics;

/** Registers the families. Once per registry: a second time throws. */
export const createGatewayMetrics = (registry: Registry): GatewayMetrics => ({
  ...createTrafficMetrics(registry),
  ...createPolicyMetrics(registry),
  ...createDatabaseMetrics(registry),
  ...createSpoolMetrics(registry),
  ...createDeliveryMetrics(registry),
});

interface TrafficMetrics {
  /**
   * One answered request, on the management edge or on a proxy port.
   * @param request.endpoint one of few values, never what a client can choose
   */
  observeRequest(request: { readonly endpoint: string; readonly status: number; readonly durationMs: number }): void;
  countProxyRequest(proxy: { readonly id: number; readonly name: string; readonly type: string }): void;
  /** A refusal by a stage of the pipeline; the reason is an `ErrorReason`. */
  countDenial(stage: string, reason: string): void;
}

function createTrafficMetrics(registry: Registry): TrafficMetrics {
  const registers = [registry];
  const requests = new Counter({ registers, name: 'gateway_requests_total', help: 'Requests answered' });
  const durations = new Histogram({
    registers,
    name: 'gateway_request_duration_seconds',
    help: 'Time from a request until the end of its answer',
    // Most answers take milliseconds, the streams of an LLM minutes.
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
  });
  const countError = countByLabels(registry, {
    name: 'gateway_errors_total',
    help: 'Requests answered with a status of 400 or more',
    labelNames: ['endpoint', 'status'],
  });
  const countProxy = countByLabels(registry, {
    name: 'gateway_proxy_requests_total',
    help: 'Requests on proxy ports',
    labelNames: ['proxy_id', 'proxy_name', 'proxy_type'],
  });

  return {
    observeRequest({ endpoint, status, durationMs }) {
      requests.inc();
      durations.observe(durationMs / 1_000);
      if (status >= 400) countError(endpoint, String(status));
    },
    countProxyRequest: ({ id, name, type }) => countProxy(String(id), name, type),
    countDenial: countByLabels(registry, {
      name: 'gateway_stage_denials_total',
      help: 'Requests refused, by the stage of the pipeline and its reason',
      labelNames: ['stage', 'reason'],
    }),
  };
}

interface PolicyMetrics {
  /** Policies that looked at a text, and how many of them found something. */
  countPolicyEvaluations(evaluations: number, matches: number): void;
}

function createPolicyMetrics(registry: Registry): PolicyMetrics {
  const counter = (name: string, help: string) => new Counter({ registers: [registry], name, help });
  const evaluated = counter('gateway_policy_evaluations_total', 'Policies evaluated');
  const matched = counter('gateway_policy_evaluations_matches_total', 'Policy evaluations that found something');
  const missed = counter('gateway_policy_evaluations_misses_total', 'Policy evaluations that found nothing');

  return {
    countPolicyEvaluations(evaluations, matches) {
      evaluated.inc(evaluations);
      matched.inc(matches);
      missed.inc(evaluations - matches);
    },
  };
}

interface DatabaseMetrics {
  observeQuery(durationMs: number): void;
  /** Reads the pool whenever the metrics are read. */
  watchPool(stats: () => PoolStats): void;
}

function createDatabaseMetrics(registry: Registry): DatabaseMetrics {
  const registers = [registry];
  const queries = new Counter({ registers, name: 'gateway_db_queries_total', help: 'Database queries' });
  const durations = new Histogram({
    registers,
    name: 'gateway_db_query_duration_seconds',
    help: 'Time of database queries',
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  });
  const utilization: Gauge = new Gauge({
    registers,
    name: 'gateway_db_pool_utilization_percent',
    help: 'Database connections in use, of those allowed; of several processes the fullest pool',
    aggregator: 'max',
    collect: () => {
      const { inUse, maxOpenConnections } = readPool();
      utilization.set(maxOpenConnections === 0 ? 0 : (100 * inUse) / maxOpenConnections);
    },
  });
  let readPool = (): Pick<PoolStats, 'inUse' | 'maxOpenConnections'> => ({ inUse: 0, maxOpenConnections: 0 });

  return {
    observeQuery(durationMs) {
      queries.inc();
      durations.observe(durationMs / 1_000);
    },
    watchPool(stats) {
      readPool = stats;
    },
  };
}

interface SpoolMetrics {
  /** Reads the spool of a service whenever the metrics are read; the figures of several add up. */
  watchSpool(state: () => Pick<SpoolState, 'pendingRecords' | 'shedRecords'>): void;
}

function createSpoolMetrics(registry: Registry): SpoolMetrics {
  const registers = [registry];
  const spools: Parameters<SpoolMetrics['watchSpool']>[0][] = [];
  const pending: Gauge = new Gauge({
    registers,
    name: 'gateway_spool_pending_records',
    help: 'Records on disk that are not in the database yet',
    collect: () => pending.set(spools.reduce((sum, state) => sum + state().pendingRecords, 0)),
  });
  const shed: Counter = new Counter({
    registers,
    name: 'gateway_spool_shed_records_total',
    help: 'Request logs given up because the spool was full',
    collect: () => {
      shed.reset();
      shed.inc(spools.reduce((sum, state) => sum + state().shedRecords, 0));
    },
  });

  return { watchSpool: (state) => void spools.push(state) };
}

interface DeliveryMetrics {
  /** One attempt to deliver an alert. */
  countDelivery(channel: string, outcome: 'delivered' | 'failed' | 'refused'): void;
}

const createDeliveryMetrics = (registry: Registry): DeliveryMetrics => ({
  countDelivery: countByLabels(registry, {
    name: 'gateway_alert_deliveries_total',
    help: 'Attempts to deliver an alert to a channel, by what became of them',
    labelNames: ['channel', 'outcome'],
  }),
});

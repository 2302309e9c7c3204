import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PoolStats } from '../database/database.ts';
import type { SpoolState } from '../spool/spool.ts';
import { addByLabels, countByLabels } from './count-by-labels.ts';
import { createBufferedHistogram } from './buffered-histogram.ts';
import { createGuardrailMetrics, type GuardrailMetrics } from './guardrail-metrics.ts';
import { createTargetMetrics, type TargetMetrics } from './target-metrics.ts';
import { watchCounter, watchCounters, watchGauge } from './watch-metrics.ts';
import { createUsageMetrics, type UsageMetrics } from './usage-metrics.ts';

/** The gateway's metric families. Counting is cheap enough for the hot path. */
export type GatewayMetrics = CacheMetrics &
  TrafficMetrics &
  PolicyMetrics &
  DatabaseMetrics &
  SpoolMetrics &
  CoordinationMetrics &
  GuardrailMetrics &
  TargetMetrics &
  UsageMetrics &
  DeliveryMetrics;

/** Registers the families. Once per registry: a second time throws. */
export const createGatewayMetrics = (registry: Registry): GatewayMetrics => ({
  ...createTrafficMetrics(registry),
  ...createCacheMetrics(registry),
  ...createPolicyMetrics(registry),
  ...createDatabaseMetrics(registry),
  ...createSpoolMetrics(registry),
  ...createCoordinationMetrics(registry),
  ...createGuardrailMetrics(registry),
  ...createTargetMetrics(registry),
  ...createUsageMetrics(registry),
  ...createDeliveryMetrics(registry),
});

interface TrafficMetrics {
  /**
   * One answered request, on the management edge or on a proxy port.
   * @param request.endpoint one of few values, never what a client can choose
   */
  observeRequest(request: { readonly endpoint: string; readonly status: number; readonly durationMs: number }): void;
  countProxyRequest(
    proxy: { readonly id: number; readonly name: string; readonly type: string },
    outcome?: { readonly status: number; readonly durationMs: number; readonly atMs: number },
  ): void;
  /** A refusal by a stage of the pipeline; the reason is an `ErrorReason`. */
  countDenial(stage: string, reason: string): void;
}

function createTrafficMetrics(registry: Registry): TrafficMetrics {
  const countRequest = countByLabels(registry, {
    name: 'gateway_requests_total',
    help: 'Requests answered on all ports',
    labelNames: [],
  });
  const observeDuration = createBufferedHistogram(registry, {
    name: 'gateway_request_duration_seconds',
    help: 'Duration of a request until the end of its answer',
    // Most answers take milliseconds, the streams of an LLM minutes.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
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
  const countOutcome = createProxyOutcomes(registry);

  return {
    observeRequest({ endpoint, status, durationMs }) {
      countRequest();
      observeDuration(durationMs / 1_000);
      if (status >= 400) countError(endpoint, String(status));
    },
    countProxyRequest({ id, name, type }, outcome) {
      countProxy(String(id), name, type);
      if (outcome !== undefined) countOutcome(String(id), outcome);
    },
    countDenial: countByLabels(registry, {
      name: 'gateway_stage_denials_total',
      help: 'Requests denied, by the stage of the pipeline and its reason',
      labelNames: ['stage', 'reason'],
    }),
  };
}

/** What became of the requests of each proxy. */
function createProxyOutcomes(registry: Registry) {
  const figures = new Map<string, { errors: number; seconds: number; lastS: number }>();
  const counter = (name: string, help: string, figure: 'errors' | 'seconds') =>
    watchCounters(registry, { name, help, label: 'proxy_id' }, figures, (values) => values[figure]);
  counter('gateway_proxy_errors_total', 'Requests on proxy ports answered with a status of 400 or more', 'errors');
  counter('gateway_proxy_request_seconds_total', 'Duration of the requests on proxy ports, added up', 'seconds');
  const last: Gauge = new Gauge({
    registers: [registry],
    name: 'gateway_proxy_last_request_timestamp_seconds',
    help: 'Unix time at which the last request on a proxy port ended',
    labelNames: ['proxy_id'],
    aggregator: 'max',
    collect() {
      last.reset();
      for (const [id, { lastS }] of figures) last.labels(id).set(lastS);
    },
  });

  return (id: string, { status, durationMs, atMs }: { status: number; durationMs: number; atMs: number }): void => {
    let entry = figures.get(id);
    if (entry === undefined) figures.set(id, (entry = { errors: 0, seconds: 0, lastS: 0 }));
    if (status >= 400) entry.errors += 1;
    entry.seconds += durationMs / 1_000;
    entry.lastS = atMs / 1_000;
  };
}

/** One inspection of a text by a set of policies. */
export interface PolicyInspection {
  readonly names: readonly string[];
  /** Those that found something. */
  readonly matched: ReadonlySet<string>;
  /** Of the whole inspection: the policies of a proxy are scanned in one pass. */
  readonly durationMs: number;
}

interface CacheMetrics {
  /** Something that was made before was there, or had to be made. */
  countCache(cache: string, hit: boolean): void;
}

function createCacheMetrics(registry: Registry): CacheMetrics {
  const labelNames = ['cache'] as const;
  const hits = countByLabels(registry, {
    name: 'gateway_cache_hits_total',
    help: 'Lookups that a cache answered',
    labelNames,
  });
  const misses = countByLabels(registry, {
    name: 'gateway_cache_misses_total',
    help: 'Lookups that a cache could not answer',
    labelNames,
  });
  return { countCache: (cache, hit) => (hit ? hits : misses)(cache) };
}

interface PolicyMetrics {
  /** Policies that looked at a text, and how many of them found something. */
  countPolicyEvaluations(evaluations: number, matches: number): void;
  /** The same by policy, with the time it took. */
  countInspection(inspection: PolicyInspection): void;
  /** Reads, whenever the metrics are read, how many proxies run that no policy inspects. */
  watchUninspected(read: () => number): void;
}

function createPolicyMetrics(registry: Registry): PolicyMetrics {
  const counter = (name: string, help: string) => addByLabels(registry, { name, help, labelNames: [] });
  const addEvaluated = counter('gateway_policy_evaluations_total', 'Policies evaluated');
  const addMatched = counter('gateway_policy_evaluations_matches_total', 'Policy evaluations with a match');
  const addMissed = counter('gateway_policy_evaluations_misses_total', 'Policy evaluations without a match');
  const countInspection = createPolicyFigures(registry);

  return {
    countInspection,
    watchUninspected: gaugeUninspected(registry),
    countPolicyEvaluations(evaluations, matches) {
      addEvaluated(evaluations);
      addMatched(matches);
      addMissed(evaluations - matches);
    },
  };
}

function gaugeUninspected(registry: Registry): PolicyMetrics['watchUninspected'] {
  let read = (): number => 0;
  const [name, help] = ['gateway_proxies_without_policy', 'Running proxies whose traffic no policy inspects'];
  // Every process of a data plane has the same proxies.
  watchGauge(registry, { name, help, aggregator: 'max' }, () => read());
  return (watched) => void (read = watched);
}

/** Policies told apart in the metrics; what comes beyond them counts as `other`. */
const maxPolicies = 1_000;

function createPolicyFigures(registry: Registry): PolicyMetrics['countInspection'] {
  const figures = new Map<string, { evaluations: number; matches: number; seconds: number }>();
  const counter = (name: string, help: string, figure: 'evaluations' | 'matches' | 'seconds') =>
    watchCounters(registry, { name, help, label: 'policy_name' }, figures, (values) => values[figure]);
  counter('gateway_policy_inspections_total', 'Requests that a policy inspected', 'evaluations');
  counter('gateway_policy_inspection_matches_total', 'Requests in which a policy matched', 'matches');
  counter(
    'gateway_policy_inspection_seconds_total',
    'Duration of the scans in which a policy took part, added up',
    'seconds',
  );

  return ({ names, matched, durationMs }) => {
    for (const name of names) {
      const known = figures.has(name) || figures.size < maxPolicies ? name : 'other';
      let entry = figures.get(known);
      if (entry === undefined) figures.set(known, (entry = { evaluations: 0, matches: 0, seconds: 0 }));
      entry.evaluations += 1;
      if (matched.has(name)) entry.matches += 1;
      entry.seconds += durationMs / 1_000;
    }
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
    help: 'Duration of database queries',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  });
  let readPool = (): PoolStats => noPool;
  watchGauge(
    registry,
    {
      name: 'gateway_db_pool_utilization_percent',
      help: 'Database connections in use as a share of those allowed; of several processes the fullest pool',
      aggregator: 'max',
    },
    () => {
      const { inUse, maxOpenConnections } = readPool();
      return maxOpenConnections === 0 ? 0 : (100 * inUse) / maxOpenConnections;
    },
  );
  watchPoolFigures(registry, () => readPool());

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

const noPool: PoolStats = {
  maxOpenConnections: 0,
  openConnections: 0,
  inUse: 0,
  idle: 0,
  waiting: 0,
  waitCount: 0,
  waitMs: 0,
  idleClosed: 0,
};

/** The figures of the pool beside its utilization; those of several processes add up. */
function watchPoolFigures(registry: Registry, read: () => PoolStats): void {
  const gauge = (name: string, help: string, figure: (stats: PoolStats) => number) =>
    watchGauge(registry, { name, help }, () => figure(read()));
  const counter = (name: string, help: string, figure: (stats: PoolStats) => number) =>
    watchCounter(registry, name, help, () => figure(read()));
  gauge('gateway_db_pool_max_connections', 'Database connections allowed', (pool) => pool.maxOpenConnections);
  gauge('gateway_db_pool_open_connections', 'Database connections open', (pool) => pool.openConnections);
  gauge('gateway_db_pool_in_use_connections', 'Database connections in use', (pool) => pool.inUse);
  gauge('gateway_db_pool_idle_connections', 'Database connections that are idle', (pool) => pool.idle);
  counter('gateway_db_pool_waits_total', 'Queries that waited for a connection', (pool) => pool.waitCount);
  counter(
    'gateway_db_pool_wait_seconds_total',
    'Time that queries waited for a database connection, added up',
    (pool) => pool.waitMs / 1_000,
  );
  counter(
    'gateway_db_pool_idle_closed_total',
    'Database connections closed because they were idle',
    (pool) => pool.idleClosed,
  );
}

interface SpoolMetrics {
  /** Reads the spool of a service whenever the metrics are read; the figures of several add up. */
  watchSpool(state: () => Pick<SpoolState, 'pendingRecords' | 'shedRecords' | 'rejectedRecords'>): void;
}

function createSpoolMetrics(registry: Registry): SpoolMetrics {
  const spools: Parameters<SpoolMetrics['watchSpool']>[0][] = [];
  const sumOf = (figure: 'pendingRecords' | 'shedRecords' | 'rejectedRecords') => () =>
    spools.reduce((sum, state) => sum + state()[figure], 0);
  const pending = 'Records in the spool on disk that are not in the database yet';
  watchGauge(registry, { name: 'gateway_spool_pending_records', help: pending }, sumOf('pendingRecords'));
  const shed = 'Request logs dropped because the spool was full';
  watchCounter(registry, 'gateway_spool_shed_records_total', shed, sumOf('shedRecords'));
  const rejected = 'Records that the database rejected as invalid, kept in rejected.jsonl';
  watchCounter(registry, 'gateway_spool_rejected_records_total', rejected, sumOf('rejectedRecords'));
  return { watchSpool: (state) => void spools.push(state) };
}

interface CoordinationMetrics {
  /** @param problem why this process counts by itself at present; undefined while the store counts for all */
  watchCoordination(problem: () => string | undefined): void;
}

function createCoordinationMetrics(registry: Registry): CoordinationMetrics {
  let problem: () => string | undefined = () => undefined;
  const help = 'Processes that keep limits and budgets by themselves, since Redis is away or refuses to count';
  watchGauge(registry, { name: 'gateway_coordination_degraded', help }, () => (problem() === undefined ? 0 : 1));
  return { watchCoordination: (given) => void (problem = given) };
}

interface DeliveryMetrics {
  /** One attempt to deliver an alert. */
  countDelivery(channel: string, outcome: 'delivered' | 'failed' | 'refused'): void;
  /** The circuit of a channel opened, or closed again. */
  countDeliveryCircuit(channel: string, isOpen: boolean): void;
  /** Traces of requests to models: taken by the LLM observability service, refused by it, or dropped since too many waited. */
  countTraces(outcome: 'delivered' | 'refused' | 'shed', count: number): void;
}

const createDeliveryMetrics = (registry: Registry): DeliveryMetrics => ({
  countTraces: countTracesIn(registry),
  countDeliveryCircuit: gaugeDeliveryCircuits(registry),
  countDelivery: countByLabels(registry, {
    name: 'gateway_alert_deliveries_total',
    help: 'Attempts to deliver an alert to a channel, by outcome',
    labelNames: ['channel', 'outcome'],
  }),
});

function countTracesIn(registry: Registry): DeliveryMetrics['countTraces'] {
  const traces = new Counter({
    registers: [registry],
    name: 'gateway_llm_traces_total',
    help: 'Traces of requests to models for the LLM observability service, by outcome; shed ones were dropped because too many waited',
    labelNames: ['outcome'],
  });
  return (outcome, count) => traces.inc({ outcome }, count);
}

function gaugeDeliveryCircuits(registry: Registry): DeliveryMetrics['countDeliveryCircuit'] {
  const open = new Gauge({
    registers: [registry],
    name: 'gateway_alert_delivery_circuit_open',
    help: 'Processes in which the circuit of a channel is open: its destination is away, and deliveries wait',
    labelNames: ['channel'],
  });
  return (channel, isOpen) => open.set({ channel }, isOpen ? 1 : 0);
}

import { Type, type Static, type TSchema } from 'typebox';
import { Count, Exact, Id, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Metrics');

const Duration = Type.String({ description: 'For example 850µs, 12.5ms, 1.25s, 2m5s' });
const percentiles = { duration_p50: Duration, duration_p95: Duration, duration_p99: Duration };
const MapOf = <Schema extends TSchema>(schema: Schema) => Type.Record(Type.String(), schema);

const SystemFigures = {
  cpu_usage_percent: Type.Number({ description: 'Of one core, over the last minutes; several processes add up' }),
  memory_usage_mb: Type.Number({ description: 'Resident memory of all processes, MiB' }),
  goroutine_count: Type.Number({
    description: 'Active handles and requests of the event loops; kept for compatibility',
  }),
};

const pool = {
  open_connections: Count,
  in_use: Count,
  idle: Count,
  wait_count: Type.Integer({ minimum: 0, description: 'Queries that waited for a connection since the start' }),
  utilization_percent: Type.Number({ description: 'Of several processes the fullest pool' }),
};

export const Metrics = Exact(
  {
    request_metrics: Exact({ total_requests: Count, total_errors: Count, slow_requests: Count, ...percentiles }),
    database_metrics: Exact({ total_queries: Count, slow_queries: Count, ...percentiles }),
    error_metrics: MapOf(MapOf(Count)),
    proxy_metrics: MapOf(
      Exact({
        proxy_id: Id,
        proxy_name: Type.String(),
        proxy_type: Type.String(),
        requests_total: Count,
        requests_success: Type.Integer(),
        requests_error: Count,
        request_duration: Duration,
        last_request_time: Nullable(Timestamp),
      }),
    ),
    policy_metrics: Exact({
      total_evaluations: Count,
      matches: Count,
      misses: Count,
      average_duration: Duration,
      hit_rate_percent: Type.Number(),
      policy_details: MapOf(
        Exact({ policy_name: Type.String(), evaluations: Count, matches: Count, average_duration: Duration }),
      ),
    }),
    system_metrics: Exact(SystemFigures),
    connection_pool_metrics: Exact(pool),
    cache_metrics: Exact({ hits: Count, misses: Count, hit_rate: Type.Number({ description: '0-1' }) }),
  },
  { title: 'Metrics' },
);

export const PoolHealth = Exact(
  { status: Type.Enum(['healthy', 'degraded', 'critical']), ...pool },
  { title: 'PoolHealth' },
);

export const PoolStats = Exact(
  {
    max_open_connections: Count,
    ...pool,
    wait_duration_ns: Count,
    max_idle_closed: Count,
    max_lifetime_closed: Count,
  },
  { title: 'PoolStats' },
);

export const SystemMetrics = Exact(
  { ...SystemFigures, uptime: Type.String(), uptime_seconds: Count, connection_pool_metrics: Exact(pool) },
  { title: 'SystemMetrics' },
);

export const Version = Exact({ version: Type.String(), node: Type.String() }, { title: 'Version' });

const Instance = Exact({
  instance_id: Type.String(),
  service: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  version: Type.String(),
  status: Type.Enum(['healthy', 'degraded', 'unhealthy']),
  problems: Type.Array(Type.String()),
  started_at: Timestamp,
  heartbeat_at: Timestamp,
  alive: Type.Boolean({ description: 'Gave a sign of life within the last ten seconds' }),
});

export const SystemInfo = Exact(
  {
    system_name: Type.String(),
    version: Type.String(),
    node: Type.String(),
    environment: Type.String(),
    mode: Type.Enum(['single_process', 'services'], { description: 'services: coordinated over Redis' }),
    stores: Exact({
      database: Type.Enum(['embedded', 'postgresql']),
      coordination: Type.Enum(['in_process', 'redis']),
    }),
    instance_id: Type.String({ description: 'Of the process that answers' }),
    started_at: Timestamp,
    uptime: Type.String({ description: 'For example 2h15m30s' }),
    uptime_seconds: Count,
    instances: Type.Array(Instance),
    counts: Exact({
      proxies: Count,
      proxies_running: Count,
      user_groups: Count,
      api_keys: Count,
      policies: Count,
      users: Count,
    }),
  },
  { title: 'SystemInfo' },
);
export type SystemInfo = Static<typeof SystemInfo>;

const read = <Response extends TSchema>(path: string, summary: string, response: Response) =>
  routes.define({ method: 'GET', path, role: 'viewer', summary, parts: { response } });

export const getMetrics = read(
  '/metrics',
  'Summarize the metrics of all processes; percentiles of the last minutes',
  Metrics,
);
export const getSystemMetrics = read(
  '/system/metrics',
  'Show the CPU and memory that the processes use',
  SystemMetrics,
);
export const getPoolHealth = read(
  '/system/db/pool/health',
  'Report the health of the database connection pool',
  PoolHealth,
);
export const getPoolStats = read('/system/db/pool/stats', 'Count the connections of the database pool', PoolStats);
export const getSystemInfo = read(
  '/system/info',
  'Show the version, stores, processes and sizes of this installation',
  SystemInfo,
);
export const getVersion = read('/system/version', 'Show the version', Version);

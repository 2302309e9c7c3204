import {
  getMetrics,
  getPoolHealth,
  getPoolStats,
  getSystemInfo,
  getSystemMetrics,
  getVersion,
} from '@portcullis/contracts/routes/metrics';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { version } from '@portcullis/platform/process/version';
import type { RecentMetrics } from '@portcullis/platform/metrics/recent-metrics';
import { renderDuration } from '../proxies/status-queries.ts';
import { loadSettings } from '../settings/setting-store.ts';
import { describeStores } from './describe-stores.ts';
import { loadCounts, loadInstances } from './info-queries.ts';

export function metricsRoutes(infrastructure: Infrastructure, recent: RecentMetrics): BoundRoute[] {
  const { database, config, instanceId } = infrastructure;
  const startedAt = new Date();
  const uptime = () => {
    const ms = Date.now() - startedAt.getTime();
    return { uptime: renderDuration(ms), uptime_seconds: Math.max(0, Math.floor(ms / 1_000)) };
  };

  return [
    bind(getMetrics, async () => ({ data: await recent.snapshot() })),
    bind(getPoolHealth, async () => ({ data: await recent.poolHealth() })),
    bind(getPoolStats, async () => ({ data: await recent.poolStats() })),
    bind(getVersion, () => ({ data: { version, node: process.version } })),

    bind(getSystemMetrics, async () => {
      const { system_metrics: system, connection_pool_metrics: pool } = await recent.snapshot();
      return { data: { ...system, ...uptime(), connection_pool_metrics: pool } };
    }),

    bind(getSystemInfo, async () => ({
      data: {
        system_name: (await loadSettings(database)).general.system_name,
        version,
        node: process.version,
        environment: config.ENVIRONMENT,
        ...describeStores(config),
        instance_id: instanceId,
        started_at: startedAt.toISOString(),
        ...uptime(),
        instances: await loadInstances(database),
        counts: await loadCounts(database),
      },
    })),
  ];
}

import { Registry, collectDefaultMetrics } from 'prom-client';
import { createGatewayMetrics, type GatewayMetrics } from './gateway-metrics.ts';

/** The process' metrics: one registry, exposed at /api/v1/metrics/prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** What the gateway itself counts. */
  readonly gateway: GatewayMetrics;
}

/**
 * The lag of the event loop is looked at every so many milliseconds, which its figures include. Each look wakes
 * the process: a hundred a second were a quarter of what one with nothing to do took.
 */
const eventLoopMonitoringPrecision = 50;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  return { registry, gateway: createGatewayMetrics(registry) };
}

import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import type { Exchange } from '../exchange/exchange.ts';
import { explain } from '../explain/explanation.ts';
import type { TrafficObserver } from '../target/proxy-driver.ts';
import type { TargetPool } from '../target/target-pool.ts';
import type { TrafficCounts } from './traffic-counts.ts';

/** Logs what a person should know of the traffic, and counts and traces the rest. */
export const createTrafficObserver = (
  log: Logger,
  counts: TrafficCounts,
  metrics: GatewayMetrics,
): TrafficObserver => ({
  fault(stage, onFault, error, exchange) {
    const reason = problemText(error);
    log.error('stage failed', { stage, on_fault: onFault, request_id: exchange.id, reason, ...exchange.trace?.ids });
  },

  denied(stage, denial) {
    metrics.countDenial(stage, denial.reason);
  },

  targetFailed(exchange, error, reason) {
    metrics.countTargetFailure(exchange.proxy.target.origin, reason);
    exchange.trace?.targetFailed(problemText(error));
    log.warn('target failed', {
      proxy_id: exchange.proxy.id,
      proxy: exchange.proxy.name,
      request_id: exchange.id,
      reason: problemText(error),
      ...exchange.trace?.ids,
    });
  },

  settled(exchange) {
    const { proxy, statusCode } = exchange;
    counts.count(proxy.id, statusCode >= 500);
    const durationMs = performance.now() - exchange.startedAt;
    metrics.countProxyRequest(proxy, { status: statusCode, durationMs, atMs: exchange.receivedAt + durationMs });
    metrics.observeRequest({ endpoint: `proxy ${proxy.id}`, status: statusCode, durationMs });
    countInspection(metrics, exchange);
    if (exchange.findings.length > 0 && log.isDebugEnabled()) {
      log.debug('policies decided', { ...explain(exchange), ...exchange.trace?.ids });
    }
    exchange.trace?.end(exchange);
  },
});

const none: ReadonlySet<string> = new Set();

/** Exchanges that were refused before their inspection were not evaluated by any policy. */
function countInspection(metrics: GatewayMetrics, { proxy, findings, inspectionMs }: Exchange): void {
  if (inspectionMs === undefined || proxy.policyNames.length === 0) return;
  const matched = findings.length === 0 ? none : new Set(findings.map(({ policyName }) => policyName));
  metrics.countPolicyEvaluations(proxy.policyNames.length, matched.size);
  metrics.countInspection({ names: proxy.policyNames, matched, durationMs: inspectionMs });
}

/** Tells the log and the metrics when the circuit of a target opens, and when it closes again. */
export const observePools =
  (log: Logger, metrics: GatewayMetrics, changed: () => void) =>
  ({ origin, state: { state, problem } }: TargetPool): void => {
    const suspended = state !== 'closed';
    if (suspended) log.warn('target keeps failing, its circuit is open', { target: origin, reason: problem });
    else log.info('target answers again', { target: origin });
    metrics.countTargetSuspension(origin, suspended);
    changed();
  };

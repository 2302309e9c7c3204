import { SpanStatusCode, trace } from '@opentelemetry/api';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import type { Exchange } from '../exchange.ts';
import { explain } from '../explain/explanation.ts';
import type { TrafficObserver } from './handle-exchange.ts';
import type { TrafficCounts } from './traffic-counts.ts';

/** Logs what a person should know of the traffic, and counts and traces the rest. */
export const createTrafficObserver = (
  log: Logger,
  counts: TrafficCounts,
  metrics: GatewayMetrics,
): TrafficObserver => ({
  fault(stage, onFault, error, exchange) {
    log.error('stage failed', { stage, on_fault: onFault, request_id: exchange.id, reason: problemText(error) });
  },

  denied(stage, denial) {
    metrics.countDenial(stage, denial.reason);
  },

  targetFailed(exchange, error) {
    log.warn('target failed', {
      proxy_id: exchange.proxy.id,
      proxy: exchange.proxy.name,
      request_id: exchange.id,
      reason: problemText(error),
    });
  },

  settled(exchange) {
    const { proxy, statusCode } = exchange;
    counts.count(proxy.id, statusCode >= 500);
    const durationMs = performance.now() - exchange.startedAt;
    metrics.countProxyRequest(proxy, { status: statusCode, durationMs, atMs: exchange.receivedAt + durationMs });
    metrics.observeRequest({ endpoint: `proxy ${proxy.id}`, status: statusCode, durationMs });
    countInspection(metrics, exchange);
    if (exchange.findings.length > 0 && log.isDebugEnabled()) log.debug('policies decided', explain(exchange));
    emitSpan(exchange);
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

/** One span per exchange, made when it is over: without a collector this costs next to nothing. */
function emitSpan(exchange: Exchange): void {
  const { proxy, request, statusCode, ending } = exchange;
  const span = trace.getTracer('portcullis').startSpan('proxy request', { startTime: exchange.receivedAt });
  if (span.isRecording()) {
    span.setAttributes({
      'http.method': request.method ?? '',
      'http.route': exchange.path,
      'http.status_code': statusCode,
      'proxy.id': proxy.id,
      'proxy.name': proxy.name,
      'proxy.type': proxy.type,
      'policy.name': proxy.policyNames.join(','),
      'policy.matched': exchange.findings.length > 0,
      'request.id': exchange.id,
    });
    if (ending !== undefined)
      span.setAttribute('denied.reason', ending.reason).setAttribute('denied.stage', ending.stage);
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

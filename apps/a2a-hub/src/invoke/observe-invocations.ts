import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import type { InvocationObserver } from './handle-invocation.ts';

/** Logs what an operator should know of calls of agents, and counts the rest. */
export const observeInvocations = (log: Logger, metrics: GatewayMetrics): InvocationObserver => ({
  fault: (stage, onFault, error, { id, trace }) =>
    void log.error('stage failed', {
      stage,
      on_fault: onFault,
      request_id: id,
      reason: problemText(error),
      ...trace?.ids,
    }),
  denied: (stage, { reason }) => metrics.countDenial(stage, reason),
  agentFailed({ proxy, id, trace }, failure) {
    if (failure.kind === 'left') return;
    metrics.countTargetFailure(`agent ${proxy.id}`, failure.kind);
    log.warn('agent failed', {
      agent_id: proxy.id,
      agent: proxy.name,
      request_id: id,
      kind: failure.kind,
      reason: failure.message,
      ...trace?.ids,
    });
  },
  settled({ proxy, asked, snapshot, findings, statusCode, startedAt, foreignEvents, id }) {
    const durationMs = performance.now() - startedAt;
    // What became of the requests is told by endpoint: among the proxies an agent's id is another's.
    if (proxy.id !== 0) metrics.countProxyRequest(proxy);
    metrics.observeRequest({ endpoint: `agent ${proxy.id}`, status: statusCode, durationMs });
    const { names } = snapshot.policies;
    if (asked !== undefined && 'message' in asked.call && names.length > 0) {
      metrics.countPolicyEvaluations(names.length, new Set(findings.map(({ policyName }) => policyName)).size);
    }
    if (foreignEvents > 0) {
      log.warn('agent told of tasks of others, which was left out', {
        agent_id: proxy.id,
        request_id: id,
        events: foreignEvents,
      });
    }
  },
});

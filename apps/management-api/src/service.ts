import { managementRoutes } from '@portcullis/contracts/all-routes';
import { getReference } from '@portcullis/contracts/routes/system';
import { alertDeliveryQueue, type AlertDeliveryJob } from '@portcullis/contracts/events';
import { startAuditJob, type AuditJob } from '@portcullis/platform/audit/audit-job';
import { createSealKey } from '@portcullis/platform/audit/seal-key';
import { mountedPath } from '@portcullis/platform/http/mount-routes';
import { createServiceApi } from '@portcullis/platform/http/service-api';
import { createSessions } from '@portcullis/platform/identity/sessions';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Service } from '@portcullis/platform/lifecycle/service';
import { tellStep } from '@portcullis/platform/lifecycle/tell-step';
import { collectMetrics, type MetricsCollector } from '@portcullis/platform/metrics/metrics-exchange';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { startRetention } from '@portcullis/platform/database/retention';
import { readMetrics } from '@portcullis/platform/metrics/metrics-report';
import { watchRecentMetrics } from '@portcullis/platform/metrics/recent-metrics';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { createGuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import { saveBuiltinPolicies } from '@portcullis/platform/policies/save-builtin-policies';
import { createOutboxRelay } from '@portcullis/platform/outbox/outbox-relay';
import { startAlertRetention } from './alerts/alert-retention.ts';
import { createAlertRelay } from './alerts/relay-alerts.ts';
import { startAuditAnnouncer } from './audit/announce-audit.ts';
import { createFirstAdmin, type FirstAdmin } from './auth/first-admin.ts';
import { startCanaryJob } from './canaries/canary-job.ts';
import { startProviderProbes } from './guardrail-providers/probe-providers.ts';
import { createLiveChannel } from './live/live-channel.ts';
import { startLiveWatch } from './live/live-watch.ts';
import { loadStatsUpdate } from './live/load-stats-update.ts';
import { deactivateInvalidPolicies } from './policies/deactivate-invalid-policies.ts';
import { createPolicyChecker } from './policies/policy-checker.ts';
import { createProxyControl } from './proxies/proxy-control.ts';
import { startProxyReconciler } from './proxies/proxy-reconciler.ts';
import { renderFrontPage } from './reference/front-page.ts';
import { referenceSecurityPolicy } from './reference/reference-page.ts';
import { bindRoutes } from './routes.ts';
import { startToolCheckJob } from './tools/tool-check-job.ts';
import { startSecretJob } from './secrets/secret-job.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { createToolScanner } from './tools/tool-scanner.ts';
import { createHealthCheck } from './system/health.ts';

const serviceName = 'management-api';

export interface ManagementOptions {
  /** Told once, at the very first start, when a password was made up: nobody can ever read it again. */
  readonly onFirstAdmin?: (admin: FirstAdmin) => void;
}

/** The control plane: the REST API, `/ws`, and the relay that carries stored alerts to queue and bus. */
export function createManagementService(infrastructure: Infrastructure, options: ManagementOptions = {}): Service {
  const { config, database, coordination, metrics, tls } = infrastructure;
  const log = infrastructure.log.child({ service: serviceName });
  const { bus } = coordination;
  const api = createServiceApi(infrastructure, log);
  const { tokens, identity, allowsOrigin, reports } = api;
  const sealKey = createSealKey(config.ENCRYPTION_KEY, config.ENCRYPTION_KEY_PREVIOUS);
  const sessions = createSessions({ database, tokens, bus, config, log });
  const live = createLiveChannel({
    identity,
    bus,
    allowsOrigin,
    log,
    loadStats: () => readConsistent(database, (moment) => loadStatsUpdate(moment, new Date())),
    limits: {
      maxConnections: config.WEBSOCKET_MAX_CONNECTIONS,
      pingEveryMs: config.WEBSOCKET_PING_INTERVAL,
      writeTimeoutMs: config.WEBSOCKET_WRITE_TIMEOUT,
      idleMs: config.WEBSOCKET_IDLE_TIMEOUT,
      maxMessageBytes: config.WEBSOCKET_MAX_MESSAGE_BYTES,
      messagesPerSecond: config.WEBSOCKET_RATE_LIMIT_PER_CONN,
      statsEveryMs: config.METRICS_UPDATE_INTERVAL,
    },
  });
  const deliveries = coordination.queue<AlertDeliveryJob>(alertDeliveryQueue);
  const relay = createOutboxRelay({
    database,
    log,
    handlers: { alert: createAlertRelay({ bus, deliveries, config }) },
  });

  let collector: MetricsCollector | undefined;
  let retention: AsyncDisposable | undefined;
  let alertRetention: AsyncDisposable | undefined;
  let auditJob: AuditJob | undefined;
  let announcer: AsyncDisposable | undefined;
  let secretJob: AsyncDisposable | undefined;
  let probes: AsyncDisposable | undefined;
  let watch: AsyncDisposable | undefined;
  let proxyReconciler: AsyncDisposable | undefined;
  let canaryJob: AsyncDisposable | undefined;
  let toolCheckJob: AsyncDisposable | undefined;

  const recent = watchRecentMetrics({
    readFamilies: (names) => collector?.families(names) ?? readMetrics(metrics.registry, names),
  });

  // What this service depends on, the stores, is what the health route itself looks at.
  const health: Service['health'] = () => {
    const problems = [...tls.problems(), auditJob?.problem()].filter((problem) => problem !== undefined);
    return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
  };
  const guardrails = createGuardrailClient(addressRuleOf(config));
  const scanner = createToolScanner();
  const signIn = createSignIn(config);
  const policies = createPolicyChecker();
  const checkHealth = createHealthCheck({ database, coordination, log, own: { name: serviceName, health } });
  const bound = bindRoutes({
    infrastructure,
    sealKey,
    tokens,
    sessions,
    deliveries,
    control: createProxyControl({ database, reports }),
    checkHealth,
    recent,
    guardrails,
    scanner,
    signIn,
    policies,
    renderMetrics: () => collector?.render() ?? metrics.registry.metrics(),
  });

  const http = api.mount({
    contract: managementRoutes,
    bound,
    renderFrontPage: async () => renderFrontPage(await checkHealth()),
  });

  return {
    name: serviceName,
    health,
    mounts: [
      { prefix: '/', http },
      { prefix: mountedPath(getReference), http, contentSecurityPolicy: referenceSecurityPolicy },
      { prefix: '/ws', upgrade: live.upgrade },
    ],

    async start() {
      await tellStep(log, 'Reading the built-in policies', () => saveBuiltinPolicies(database, log));
      await tellStep(log, 'Checking the stored policies', () => deactivateInvalidPolicies(database, policies, log));
      const admin = await createFirstAdmin(database, config, log);
      if (admin !== undefined) options.onFirstAdmin?.(admin);
      await api.start();
      await live.start();
      collector = await collectMetrics({ registry: metrics.registry, bus, instanceId: infrastructure.instanceId });
      await relay.start();
      watch = await startLiveWatch({ database, coordination, deliveries, log });
      proxyReconciler = startProxyReconciler({ database, instanceId: infrastructure.instanceId, log });
      alertRetention = startAlertRetention({ database, log, keepMs: config.ALERT_RETENTION });
      auditJob = startAuditJob({
        database,
        log,
        sealKey,
        keepMs: config.AUDIT_LOG_RETENTION,
      });
      secretJob = startSecretJob({ database, encryption: infrastructure.encryption, sealKey, config, log });
      if (config.AUDIT_LOG_LINES) announcer = startAuditAnnouncer({ database, log });
      canaryJob = startCanaryJob({ database, log });
      const everyMs = config.GUARDRAIL_HEALTH_INTERVAL;
      if (everyMs > 0) {
        const { encryption } = infrastructure;
        probes = startProviderProbes({ database, encryption, client: guardrails, bus, log, everyMs });
      }
      toolCheckJob = startToolCheckJob({ infrastructure, scanner, log });
      retention = startRetention({
        database,
        log,
        keepMs: {
          request_logs: config.REQUEST_LOG_RETENTION,
          usage_records: config.TOKEN_USAGE_RETENTION,
          guardrail_checks: config.GUARDRAIL_CHECK_RETENTION,
          mcp_tool_calls: config.MCP_TOOL_LOG_RETENTION,
          agent_invocations: config.AGENT_LOG_RETENTION,
        },
      });
    },

    async [Symbol.asyncDispose]() {
      // In reverse, and each also when another fails: a database that is away must not keep clients connected.
      await using parts = new AsyncDisposableStack();
      parts.use(recent);
      parts.use(guardrails);
      parts.use(signIn);
      parts.use(policies);
      const keepers = [probes, auditJob, retention, alertRetention, watch, proxyReconciler, canaryJob];
      parts.use(toolCheckJob);
      parts.use(announcer);
      parts.use(secretJob);
      for (const part of [api, deliveries, live, collector, relay, ...keepers]) parts.use(part);
    },
  };
}

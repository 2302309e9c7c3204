import { startAuditJob } from '@portcullis/platform/audit/audit-job';
import type { Config } from '@portcullis/platform/config/config';
import { startRetention } from '@portcullis/platform/retention/retention';
import { createJob, type ServicePart } from '@portcullis/platform/service/service-part';
import { startAlertRetention } from './alerts/alert-retention.ts';
import { startAuditAnnouncer } from './audit/announce-audit.ts';
import { startBudgetAlerts } from './budgets/budget-alerts.ts';
import { startCanaryJob } from './canaries/canary-job.ts';
import { startProviderProbes } from './guardrail-providers/probe-providers.ts';
import { startLiveWatch } from './live/live-watch.ts';
import { startOAuthProxyJob } from './oauth-proxy/oauth-proxy-job.ts';
import { startProxyReconciler } from './proxies/proxy-reconciler.ts';
import { startSecretJob } from './secrets/secret-job.ts';
import type { ManagementParts } from './service-parts.ts';
import { startToolCheckJob } from './tools/tool-check-job.ts';

/** All that starts and ends with the service: in this order it starts, and in reverse it ends. */
export function createServiceTable(parts: ManagementParts): readonly ServicePart[] {
  const { infrastructure, log, sealKey, deliveries, scanner } = parts;
  const { config, database, coordination, encryption, instanceId } = infrastructure;
  return [
    parts.recent,
    parts.guardrails,
    parts.endpoints,
    parts.signIn,
    parts.documents,
    parts.policies,
    parts.exams,
    // Ends after the API, which records the last refusals when it ends.
    createJob(() => (config.AUDIT_LOG_LINES ? startAuditAnnouncer({ database, log }) : undefined)),
    parts.api,
    parts.discovery,
    deliveries,
    parts.live,
    parts.collector,
    parts.relay,
    createJob(() => startLiveWatch({ database, coordination, deliveries, log })),
    createJob(() => startProxyReconciler({ database, instanceId, log })),
    createJob(() => startAlertRetention({ database, log, keepMs: config.ALERT_RETENTION })),
    createJob(() => startAuditJob({ database, log, sealKey, keepMs: config.AUDIT_LOG_RETENTION })),
    createJob(() => startSecretJob({ database, encryption, sealKey, config, log })),
    createJob(() => startCanaryJob({ database, log })),
    createJob(() => startBudgetAlerts({ database, log })),
    createJob(() => startOAuthProxyJob({ database, encryption, log })),
    createJob(() => startProbes(parts)),
    createJob(() => startToolCheckJob({ infrastructure, scanner, log })),
    createJob(() => startRetention({ database, log, keepMs: retentionMsOf(config) })),
  ];
}

function startProbes({ infrastructure, guardrails: client, log }: ManagementParts): AsyncDisposable | undefined {
  const { config, database, encryption, coordination } = infrastructure;
  const everyMs = config.GUARDRAIL_HEALTH_INTERVAL;
  if (everyMs <= 0) return undefined;
  return startProviderProbes({ database, encryption, client, bus: coordination.bus, log, everyMs });
}

const retentionMsOf = (config: Config) => ({
  request_logs: config.REQUEST_LOG_RETENTION,
  usage_records: config.TOKEN_USAGE_RETENTION,
  guardrail_checks: config.GUARDRAIL_CHECK_RETENTION,
  mcp_tool_calls: config.MCP_TOOL_LOG_RETENTION,
  agent_invocations: config.AGENT_LOG_RETENTION,
});

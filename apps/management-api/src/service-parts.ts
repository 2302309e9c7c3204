import { createSealKey, type SealKey } from '@portcullis/platform/audit/seal-key';
import { addressRuleOf, type Config } from '@portcullis/platform/config/config';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { openDeliveryQueues, type DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import {
  createEndpointConnections,
  type EndpointConnections,
} from '@portcullis/platform/evaluation/endpoint-connection';
import { createGuardrailClient, type GuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import { createServiceApi, type ServiceApi } from '@portcullis/platform/service/service-api';
import { createSessions, type Sessions } from '@portcullis/platform/identity/sessions';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Logger } from '@portcullis/platform/log/logger';
import { createMetricsCollector, type MetricsCollector } from '@portcullis/platform/metrics/metrics-exchange';
import { watchRecentMetrics, type RecentMetrics } from '@portcullis/platform/metrics/recent-metrics';
import { createOutboxRelay, type OutboxRelay } from '@portcullis/platform/deliveries/outbox-relay';
import { createAlertRelay } from './alerts/relay-alerts.ts';
import { createEventRelay } from './alerts/relay-events.ts';
import { createLiveChannel, type LiveChannel } from './live/live-channel.ts';
import { loadStatsUpdate } from './live/load-stats-update.ts';
import { createDiscoveryServer, type DiscoveryServer } from './mcp-discovery/discovery-server.ts';
import { createClientDocuments, type ClientDocuments } from './oauth-proxy/client-documents.ts';
import { createPolicyChecker, type PolicyChecker } from './policies/policy-checker.ts';
import { createCommandProxy, type CommandProxy } from './proxies/proxy-commands.ts';
import { createProxyControl } from './proxies/proxy-control.ts';
import { findRequests } from './requests/find-requests.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import { createDefinitionScanner, type DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';

/** What the routes and jobs of the control plane share. */
export interface ManagementParts {
  readonly infrastructure: Infrastructure;
  /** Names the service. */
  readonly log: Logger;
  readonly api: ServiceApi;
  readonly sealKey: SealKey;
  readonly sessions: Sessions;
  readonly live: LiveChannel;
  readonly deliveries: DeliveryQueues;
  readonly relay: OutboxRelay;
  readonly collector: MetricsCollector;
  readonly recent: RecentMetrics;
  readonly guardrails: GuardrailClient;
  /** To endpoints that are evaluated. */
  readonly endpoints: EndpointConnections;
  readonly scanner: DefinitionScanner;
  readonly signIn: SignIn;
  /** Of clients of the OAuth proxy. */
  readonly documents: ClientDocuments;
  readonly policies: PolicyChecker;
  /** For exams of policies, which take longer. */
  readonly exams: PolicyChecker;
  readonly command: CommandProxy;
  readonly discovery: DiscoveryServer;
}

export function createManagementParts(infrastructure: Infrastructure, log: Logger): ManagementParts {
  const { config, database, coordination, metrics, instanceId } = infrastructure;
  const { bus } = coordination;
  const api = createServiceApi(infrastructure, log);
  const deliveries = openDeliveryQueues(coordination);
  const collector = createMetricsCollector({ registry: metrics.registry, bus, instanceId });
  const control = createProxyControl({ database, reports: api.reports });
  const command = createCommandProxy(database, control, addressRuleOf(config));
  return {
    infrastructure,
    log,
    api,
    sealKey: createSealKey(config.ENCRYPTION_KEY, config.ENCRYPTION_KEY_PREVIOUS),
    sessions: createSessions({ database, tokens: api.tokens, bus, config, log }),
    live: createLiveChannel({
      identity: api.identity,
      browserSessions: api.browserSessions,
      clientAddress: api.clientAddress,
      publicOrigin: config.PUBLIC_URL === undefined ? undefined : new URL(config.PUBLIC_URL).origin,
      allowsOrigin: api.allowsOrigin,
      bus,
      log,
      loadStats: () => readConsistent(database, (moment) => loadStatsUpdate(moment, new Date())),
      loadLatest: async (limit) => (await findRequests(database, { order: 'time', limit })).requests,
      limits: liveLimitsOf(config),
    }),
    deliveries,
    relay: createOutboxRelay({
      database,
      log,
      handlers: {
        alert: createAlertRelay({ bus, deliveries, config }),
        ...createEventRelay({ deliveries, config }),
      },
    }),
    collector,
    recent: watchRecentMetrics({ readFamilies: (names) => collector.families(names) }),
    guardrails: createGuardrailClient(addressRuleOf(config), infrastructure.localModels),
    endpoints: createEndpointConnections(addressRuleOf(config)),
    scanner: createDefinitionScanner(),
    signIn: createSignIn(infrastructure),
    documents: createClientDocuments(database, config, log),
    policies: createPolicyChecker(),
    exams: createPolicyChecker({ deadlineMs: 30_000, maxWaiting: 4 }),
    command,
    discovery: createDiscoveryServer({ infrastructure, api, log, command }),
  };
}

const liveLimitsOf = (config: Config) => ({
  maxConnections: config.WEBSOCKET_MAX_CONNECTIONS,
  pingEveryMs: config.WEBSOCKET_PING_INTERVAL,
  writeTimeoutMs: config.WEBSOCKET_WRITE_TIMEOUT,
  idleMs: config.WEBSOCKET_IDLE_TIMEOUT,
  maxMessageBytes: config.WEBSOCKET_MAX_MESSAGE_BYTES,
  messagesPerSecond: config.WEBSOCKET_RATE_LIMIT_PER_CONN,
  statsEveryMs: config.METRICS_UPDATE_INTERVAL,
});

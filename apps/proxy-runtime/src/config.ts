import { allowsPrivateTargets, type Config } from '@portcullis/platform/config/config';

const bytesPerMiB = 1_048_576;

/** What the data plane takes from the option table, in its own units. */
export const readRuntimeConfig = (config: Config) => ({
  host: config.HOST,
  drainMs: config.SHUTDOWN_TIMEOUT,
  maxBodyBytes: config.MAX_REQUEST_SIZE_MB * bytesPerMiB,
  maxInspectedBytes: config.MAX_INSPECTED_RESPONSE_MB * bytesPerMiB,
  clientStallMs: config.CLIENT_STALL_TIMEOUT,
  analysesTraffic: config.TRAFFIC_ANALYSIS,
  target: {
    connections: config.TARGET_CONNECTIONS,
    headersTimeoutMs: config.TARGET_HEADERS_TIMEOUT,
    bodyTimeoutMs: config.TARGET_IDLE_TIMEOUT,
    connectTimeoutMs: config.TARGET_CONNECT_TIMEOUT,
    breaker: { maxFailures: config.TARGET_FAILURES, restMs: config.TARGET_REST },
    allowPrivate: allowsPrivateTargets(config),
  },
});

import { availableParallelism } from 'node:os';
import { addressRuleOf, type Config } from '@portcullis/platform/config/config';
import { StartProblem } from '@portcullis/platform/errors/start-problem';

const bytesPerMiB = 1_048_576;

/** What the data plane takes from the option table, in its own units. */
export const readRuntimeConfig = (config: Config) => ({
  host: config.HOST,
  drainMs: config.SHUTDOWN_TIMEOUT,
  maxBodyBytes: config.MAX_REQUEST_SIZE_MB * bytesPerMiB,
  maxInspectedBytes: config.MAX_INSPECTED_RESPONSE_MB * bytesPerMiB,
  clients: {
    headersTimeoutMs: config.CLIENT_HEADERS_TIMEOUT,
    requestTimeoutMs: config.CLIENT_REQUEST_TIMEOUT,
    maxHeaderBytes: config.CLIENT_MAX_HEADER_BYTES,
    maxConnections: config.CLIENT_CONNECTIONS,
  },
  clientStallMs: config.CLIENT_STALL_TIMEOUT,
  sockets: { maxSockets: config.MCP_SOCKETS, maxPending: config.MCP_SOCKET_REQUESTS },
  analysesTraffic: config.TRAFFIC_ANALYSIS,
  target: {
    connections: config.TARGET_CONNECTIONS,
    headersTimeoutMs: config.TARGET_HEADERS_TIMEOUT,
    bodyTimeoutMs: config.TARGET_IDLE_TIMEOUT,
    connectTimeoutMs: config.TARGET_CONNECT_TIMEOUT,
    breaker: { maxFailures: config.TARGET_FAILURES, restMs: config.TARGET_BREAKER_COOLDOWN },
    ...addressRuleOf(config),
  },
});

export type RuntimeConfig = ReturnType<typeof readRuntimeConfig>;

/**
 * How many processes serve the proxy ports.
 * @throws {StartProblem} for several on stores that one process has for itself
 */
export function countWorkersOrThrow({ RUNTIME_WORKERS, DATABASE_URL, REDIS_URL }: Config): number {
  const count = RUNTIME_WORKERS === 0 ? availableParallelism() : RUNTIME_WORKERS;
  if (count === 1 || (DATABASE_URL !== undefined && REDIS_URL !== undefined)) return count;
  throw new StartProblem(
    `RUNTIME_WORKERS asks for ${count} processes, which needs DATABASE_URL and REDIS_URL: the embedded stores belong to one process. Set both, or RUNTIME_WORKERS=1.`,
  );
}

import { clientNetworkOf } from '@portcullis/core/network/client-network';
import { compileOriginList, type OriginList } from '@portcullis/core/network/origin-list';
import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import type { McpServerSettings } from '@portcullis/contracts/settings';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Buckets } from '../coordination/coordination.ts';
import { createInProcessBuckets } from '../coordination/in-process/buckets.ts';
import type { OriginRule } from '../routes/cors.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { createHostRule } from './allowed-hosts.ts';

/** Pages on the user's own machine and editors, as on the ports of MCP proxies. */
const ownOrigins = compileOriginList(defaultProxySettings.allowed_origins);

type HostConfig = Pick<Config, 'PUBLIC_URL' | 'OAUTH_REDIRECT_BASE_URL' | 'ADVERTISE_HOST' | 'ALLOWED_ORIGINS'>;

/** Names under which the configuration says that clients reach the gateway. */
export const knownHosts = (config: HostConfig): readonly string[] =>
  [config.PUBLIC_URL, config.OAUTH_REDIRECT_BASE_URL, config.ADVERTISE_HOST, ...config.ALLOWED_ORIGINS]
    .filter((place) => place !== undefined)
    .map((place) => (URL.canParse(place) ? new URL(place).hostname : place));

/** @throws {GatewayError} for a name or a page that is not this gateway's */
export function checkPlaceOrThrow(
  { headers }: Pick<IncomingMessage, 'headers'>,
  hosts: readonly string[],
  allowsOrigin: OriginRule,
): void {
  const { host, origin } = headers;
  if (!createHostRule(hosts)(host)) {
    throw new GatewayError('forbidden', {
      message: `${JSON.stringify((host ?? '').slice(0, 200))} is no name of this gateway. An operator can set PUBLIC_URL, an admin the setting mcp_servers.allowed_hosts`,
    });
  }
  if (origin !== undefined && !isOwnPage(origin, host) && !allowsOrigin(origin)) {
    throw new GatewayError('forbidden', {
      message: `Pages of ${JSON.stringify(origin.slice(0, 200))} may not use this server. An operator can add the origin to ALLOWED_ORIGINS`,
    });
  }
}

export const createPageRule =
  (allowsOrigin: OriginRule, own: OriginList = ownOrigins): OriginRule =>
  (origin) =>
    own(origin) || allowsOrigin(origin);

const isOwnPage = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();

/** Counts messages of an address. While the shared store is away each process counts by itself. */
export function createMessageLimit(buckets: Buckets, server: string) {
  const own = createInProcessBuckets({ maxBuckets: 10_000 });
  /** @throws {GatewayError} `too_many_requests` */
  return async (address: string, { requests_per_minute: limit }: McpServerSettings): Promise<void> => {
    if (limit === 0) return;
    const rule = { capacity: limit, refillPerSecond: limit / 60 };
    const key = `mcp-server:${server}:${clientNetworkOf(address)}`;
    const { allowed, retryAfterMs } = await Promise.resolve(own.take(key, rule)).then((answer) =>
      answer.allowed ? Promise.resolve(buckets.take(key, rule)).catch(() => answer) : answer,
    );
    if (allowed) return;
    throw new GatewayError('too_many_requests', {
      message: `An address may send ${limit} messages a minute to this server`,
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
    });
  };
}

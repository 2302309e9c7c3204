import type { DiscoveredProxy, McpClientConfig } from '@portcullis/contracts/routes/mcp-discovery';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { ProxyRow } from '../proxies/proxy-queries.ts';
import { usesOAuth } from './find-sign-in.ts';

/** Stands in a configuration where its user puts their gateway key. */
const keyPlace = '<API_KEY>';

/** What of a proxy is told to those who look for it. */
export type ProxyFacts = Pick<
  ProxyRow,
  'id' | 'name' | 'type' | 'description' | 'port' | 'target' | 'transport' | 'settings'
>;

/** Where the gateway is reached. */
export interface GatewayAddress {
  /** Scheme, host and port under which the client reaches the gateway; proxies are on other ports of that host. */
  readonly origin: string;
  /** Where OAuth says that the management port is; see `publicBaseOf`. */
  readonly base: string | undefined;
}

export const renderDiscovered = (proxy: ProxyFacts, { origin, base }: GatewayAddress): DiscoveredProxy => ({
  id: proxy.id,
  name: proxy.name,
  description: proxy.description,
  port: proxy.port,
  url: proxyUrl(proxy, origin),
  ...(usesOAuth(proxy, base)
    ? { oauth_enabled: true, auth_type: 'standard' }
    : { oauth_enabled: false, auth_type: 'none' }),
});

/** @param key goes into the headers instead of a place for one; clients that sign their users in need neither */
export const renderClientConfig = (
  proxies: readonly ProxyFacts[],
  { origin, base }: GatewayAddress,
  key?: string,
): McpClientConfig => ({
  mcpServers: Object.fromEntries(
    proxies.map((proxy) => {
      const url = proxyUrl(proxy, origin);
      if (key === undefined && usesOAuth(proxy, base)) return [proxy.name, { url }];
      return [proxy.name, { url, headers: { Authorization: `Bearer ${key ?? keyPlace}` } }];
    }),
  ),
});

/** Paths that are told as they are; another one of a target is its admin's affair, and `/` leads to it. */
const usualPaths: ReadonlySet<string> = new Set(['/mcp', '/sse']);

function proxyUrl({ port, target, transport, settings }: ProxyFacts, origin: string): string {
  const basePath = URL.canParse(target) ? trimSlashes(new URL(target).pathname) : '';
  const usual = transport === 'sse' ? '/sse' : '/mcp';
  const path = basePath === '' ? usual : usualPaths.has(basePath) ? basePath : '/';
  const base = settings.public_url ?? undefined;
  const url = new URL(base ?? origin);
  const scheme = transport === 'websocket' ? url.protocol.replace('http', 'ws') : url.protocol;
  if (base !== undefined) return `${scheme}//${url.host}${trimSlashes(url.pathname)}${path}`;
  return `${scheme}//${url.hostname}:${port}${path}`;
}

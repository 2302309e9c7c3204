import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { compileOriginList, type OriginList } from '@portcullis/core/network/origin-list';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import { compileTrust } from '@portcullis/platform/inspection/text-source';
import type { FoundPlan } from '@portcullis/platform/policies/policy-plans';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { renderServerMetadata } from '@portcullis/platform/oauth-proxy/metadata';
import { readOAuthSettings, tokenRuleOf } from '@portcullis/platform/oauth-proxy/oauth-settings';
import { addressesOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';
import { targetAuthPlace } from '@portcullis/platform/security/sealed-places';
import type { OAuthEntry, ProxyEntry, TargetEntry } from './snapshot.ts';
import type { ProxyRow } from './snapshot-sources.ts';

/** What of a proxy is compiled from more than its own row. */
export type ProxyParts = Pick<ProxyEntry, 'access' | 'guardrails' | 'prompt' | 'tools'>;

export function compileProxy(
  row: ProxyRow,
  policies: FoundPlan,
  parts: ProxyParts,
  { encryption, publicBase }: { readonly encryption: Encryption; readonly publicBase?: string | undefined },
): ProxyEntry {
  const type = row.type === 'mcp' ? 'mcp' : 'llm';
  return {
    id: row.id,
    name: row.name,
    type,
    target: compileTarget(row, encryption),
    port: row.port,
    tlsPair: textProperty(row.settings, 'tls_pair') ?? null,
    wanted: isWanted(row),
    generation: row.generation,
    policyNames: policies.names,
    policies: policies.plan,
    origins: compileTrust(type, readTrusted(property(row.settings, 'trusted_roles'))),
    ...parts,
    ...compileSettings(row.settings),
    oauth: compileOAuth(row, publicBase),
  };
}

/** Whether it should run. */
export const isWanted = (row: ProxyRow): boolean => row.enabled && row.desired_state === 'running';

/**
 * A process that does not know where the management port is reached cannot tell clients: they have keys alone then. Where
 * clients go to the provider they need nothing of the management port.
 */
function compileOAuth(row: ProxyRow, publicBase: string | undefined): OAuthEntry | undefined {
  const oauth = readOAuthSettings(row, publicBase);
  if (oauth === undefined) return undefined;
  const { mode, issuer, scopes, providerId } = oauth;
  const upstream = mode === 'upstream' ? { providerId, ...tokenRuleOf(oauth) } : undefined;
  if (upstream !== undefined && oauth.authorizationServer === 'provider') return { mode, issuer, scopes, upstream };
  if (publicBase === undefined) return undefined;
  const metadata = renderServerMetadata(addressesOf(row.id, issuer, publicBase), scopes);
  return { mode, issuer, scopes, upstream, serverMetadata: JSON.stringify(metadata) };
}

const compileSettings = (settings: unknown) => ({
  promptLimits: compilePromptLimits(settings),
  explains: property(settings, 'explain') === true,
  canaryRate: readShare(property(settings, 'canary_injection_rate')),
  nativeErrors: property(settings, 'error_style') === 'native',
  allowedMethods: compileMethods(property(settings, 'allowed_methods')),
  allowsOrigin: compileAllowedOrigins(property(settings, 'allowed_origins')),
  blockResponse: readBlockResponse(property(settings, 'block_response')),
  refill: readRefill(property(settings, 'rate_limit_refill')),
  denyWithoutStore: property(settings, 'on_store_failure') === 'deny',
  forwardGatewayKey: property(settings, 'forward_gateway_key') === true,
  promptWithoutPlace: readWithoutPlace(property(settings, 'system_prompt_without_place')),
  passesUnread: property(settings, 'unreadable_content') === 'pass',
  usageFromStream: readUsageFromStream(property(settings, 'usage_from_stream')),
  maxConcurrent: countProperty(settings, 'max_concurrent_requests'),
});

const readRefill = (value: unknown): ProxyEntry['refill'] => (value === 'proportional' ? 'proportional' : 'literal');

const readShare = (value: unknown): number => (typeof value === 'number' ? Math.min(1, Math.max(0, value)) : 0);

const readWithoutPlace = (value: unknown): ProxyEntry['promptWithoutPlace'] =>
  value === 'pass' || value === 'deny_all' ? value : 'deny';

const readUsageFromStream = (value: unknown): ProxyEntry['usageFromStream'] =>
  value === 'always' || value === 'never' ? value : 'auto';

const compileAllowedOrigins = (value: unknown): OriginList =>
  Array.isArray(value)
    ? compileOriginList(value.filter((origin): origin is string => typeof origin === 'string'))
    : ownOrigins;

const compileMethods = (value: unknown): ProxyEntry['allowedMethods'] =>
  Array.isArray(value) ? new Set(value.filter((method): method is string => typeof method === 'string')) : undefined;

const ownOrigins = compileOriginList(defaultProxySettings.allowed_origins);

const readBlockResponse = (value: unknown): ProxyEntry['blockResponse'] =>
  value === 'jsonrpc' || value === 'tool_error' ? value : 'http';

const compilePromptLimits = (settings: unknown): ProxyEntry['promptLimits'] => ({
  maxBodyBytes: readLimit(settings, 'system_prompt_max_body_size'),
  maxMessages: readLimit(settings, 'system_prompt_max_messages'),
});

const readLimit = (settings: unknown, name: 'system_prompt_max_body_size' | 'system_prompt_max_messages'): number =>
  property(settings, name) === undefined ? defaultProxySettings[name] : countProperty(settings, name);

const readTrusted = (roles: unknown): readonly string[] | undefined =>
  Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : undefined;

const readTimeout = (settings: unknown, name: string): number | null => countProperty(settings, name) || null;

function compileTarget(row: ProxyRow, encryption: Encryption): TargetEntry {
  const url = new URL(row.target);
  const auth = row.target_auth === null ? undefined : encryption.decrypt(row.target_auth, ...targetAuthPlace(row.id));
  return {
    origin: url.origin,
    host: url.host,
    basePath: trimSlashes(url.pathname),
    auth: auth === undefined ? undefined : (JSON.parse(auth) as TargetAuth),
    timeouts: {
      connectMs: readTimeout(row.settings, 'target_connect_timeout_ms'),
      headersMs: readTimeout(row.settings, 'target_headers_timeout_ms'),
      idleMs: readTimeout(row.settings, 'target_idle_timeout_ms'),
      totalMs: readTimeout(row.settings, 'target_total_timeout_ms'),
    },
    ca: textProperty(row.settings, 'target_ca'),
  };
}

import { findFreePort } from '@portcullis/testkit/free-port';
import type { ManagementClient } from '@portcullis/testkit/management-client';

export interface ReadyProxy {
  readonly id: number;
  readonly groupId: number;
  readonly keyId: number;
  readonly accessId: number;
  /** The gateway key, in the clear. */
  readonly key: string;
  /** Origin of the proxy port. */
  readonly url: string;
  readonly port: number;
}

/** Asks the target of an MCP proxy for its tools, and enables all but `hidden`; answers the names of those. */
export async function enableTools(
  admin: ManagementClient,
  proxyId: number,
  hidden?: string,
): Promise<readonly string[]> {
  const path = `/proxies/${proxyId}/tools`;
  const { tools } = await admin.expect<{ tools: readonly { name: string }[] }>('POST', `${path}/discover`);
  const names = tools.map(({ name }) => name).filter((name) => name !== hidden);
  await admin.expect('PUT', `${path}/bulk`, { tool_names: names, enabled: true });
  return names;
}

let made = 0;

/** Makes a group, a key, a proxy in front of `target` and the access between them, and starts the proxy. */
export async function setUpProxy(
  admin: ManagementClient,
  target: string,
  options: {
    readonly type?: 'llm' | 'mcp';
    readonly transport?: 'http' | 'sse' | 'websocket';
    /** None unless given; `default` says nothing of them to the gateway. */
    readonly policies?: readonly string[] | 'default';
    readonly rateLimit?: number;
    readonly settings?: object;
    /** What the gateway signs in with at the target. */
    readonly targetKey?: string;
  } = {},
): Promise<ReadyProxy> {
  made += 1;
  // Proxies may be made at the same time.
  const number = made;
  const port = await findFreePort();
  const group = await admin.expect<{ id: number }>('POST', '/user-groups', { name: `team ${number}` });
  const { api_key, key } = await admin.expect<{ api_key: { id: number }; key: string }>('POST', '/api-keys', {
    name: `key ${number}`,
    user_group_id: group.id,
  });
  const proxy = await admin.expect<{ id: number }>('POST', '/proxies', {
    name: `proxy ${number}`,
    type: options.type ?? 'llm',
    transport: options.transport ?? 'http',
    target,
    port,
    ...(options.policies !== 'default' && { policy_names: options.policies ?? [] }),
    settings: options.settings ?? {},
    ...(options.targetKey !== undefined && { target_auth: { value: options.targetKey } }),
  });
  const access = await admin.expect<{ id: number }>('POST', `/user-groups/${group.id}/proxy-access`, {
    proxy_config_id: proxy.id,
    rate_limit: options.rateLimit ?? 0,
  });
  await admin.expect('POST', `/proxies/${proxy.id}/start`);
  return {
    id: proxy.id,
    groupId: group.id,
    keyId: api_key.id,
    accessId: access.id,
    key,
    url: `http://127.0.0.1:${port}`,
    port,
  };
}

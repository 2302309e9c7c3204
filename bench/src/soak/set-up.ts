import { findFreePort } from '@portcullis/testkit/free-port';
import type { ManagementClient } from '@portcullis/testkit/management-client';
import { LoadedProxy } from './loaded-proxy.ts';
import type { Peers } from './peers.ts';

/** High enough never to refuse, and still counted down with every request. */
const rateLimit = 1_000_000;
const budgetUsd = 1_000_000_000;

/** Takes its addresses out on the way there, and puts them back on the way home. */
const privacy = {
  name: 'soak-privacy',
  rules: [
    {
      id: 'EMAIL',
      name: 'Addresses of the house',
      patterns: ['[a-z0-9-]{2,60}@house\\.example'],
      action: 'redact',
      redact: { restore: true },
    },
  ],
};

export interface Proxies {
  readonly llm: LoadedProxy;
  readonly slow: LoadedProxy;
  readonly failing: LoadedProxy;
  readonly breaking: LoadedProxy;
  readonly hanging: LoadedProxy;
  readonly nobody: LoadedProxy;
  readonly mcp: LoadedProxy;
}

interface Group {
  readonly id: number;
  readonly key: string;
}

/** Sets the gateway up over its REST API with everything on. */
export async function setUp(admin: ManagementClient, peers: Peers): Promise<{ proxies: Proxies; groupId: number }> {
  await admin.expect('POST', '/policies', { document: privacy });
  const group = await createGroup(admin);
  const llmPolicies = ['llm-security', 'llm-secrets', privacy.name];
  const open = (name: string, target: string, settings: object = {}) =>
    openProxy(admin, group, { name, type: 'llm', target, policy_names: llmPolicies, settings });
  const proxies = {
    llm: await open('soak-llm', peers.llm.url, { canary_injection_rate: 0.2, max_concurrent_requests: 10_000 }),
    slow: await open('soak-slow', peers.slow.url),
    failing: await open('soak-failing', peers.failing.url),
    breaking: await open('soak-breaking', peers.breaking.url),
    hanging: await open('soak-hanging', peers.hanging.url, { target_headers_timeout_ms: 250 }),
    nobody: await open('soak-nobody', peers.nobody),
    mcp: await openProxy(admin, group, {
      name: 'soak-mcp',
      type: 'mcp',
      target: peers.mcp.url,
      policy_names: ['mcp-critical-security', privacy.name],
      settings: {},
    }),
  };
  await instruct(admin, group, proxies.llm);
  await judge(admin, peers, proxies.llm);
  await openTools(admin, proxies.mcp);
  return { proxies, groupId: group.id };
}

async function createGroup(admin: ManagementClient): Promise<Group> {
  const { id } = await admin.expect<{ id: number }>('POST', '/user-groups', {
    name: 'soak',
    monthly_budget: budgetUsd,
  });
  const { key } = await admin.expect<{ key: string }>('POST', '/api-keys', { name: 'soak', user_group_id: id });
  return { id, key };
}

async function openProxy(
  admin: ManagementClient,
  group: Group,
  wanted: { readonly name: string } & Readonly<Record<string, unknown>>,
): Promise<LoadedProxy> {
  const port = await findFreePort();
  const { id } = await admin.expect<{ id: number }>('POST', '/proxies', { ...wanted, port });
  await admin.expect('POST', `/user-groups/${group.id}/proxy-access`, { proxy_config_id: id, rate_limit: rateLimit });
  await admin.expect('POST', `/proxies/${id}/start`);
  return new LoadedProxy({ name: wanted.name, id, port, key: group.key });
}

async function instruct(admin: ManagementClient, group: Group, proxy: LoadedProxy): Promise<void> {
  const create = (name: string, content: string) =>
    admin.expect<{ id: number }>('POST', '/system-prompts', { name, content });
  const house = await create('soak-house', 'Be brief on {{.ProxyName}}, today is {{.Date}}.');
  const team = await create('soak-team', 'You serve {{.UserGroup}}.');
  await admin.expect('POST', `/system-prompts/${house.id}/assign/proxy/${proxy.id}`);
  const { proxy_access: entries } = await admin.expect<{
    readonly proxy_access: readonly { readonly id: number; readonly proxy_config_id: number }[];
  }>('GET', `/user-groups/${group.id}/proxy-access`);
  const entry = entries.find(({ proxy_config_id: id }) => id === proxy.id);
  await admin.expect('PATCH', `/user-groups/${group.id}/proxy-access/${entry?.id}`, { system_prompt_id: team.id });
}

async function judge(admin: ManagementClient, peers: Peers, proxy: LoadedProxy): Promise<void> {
  const providers = '/security/guardrails/providers';
  const { id } = await admin.expect<{ id: number }>('POST', providers, {
    name: 'soak-judge',
    ...peers.judge.provider,
    direction: 'both',
  });
  await admin.expect('POST', `${providers}/${id}/assignments`, { proxy_id: proxy.id });
}

/** All tools but `add`, which stays hidden. */
async function openTools(admin: ManagementClient, proxy: LoadedProxy): Promise<void> {
  await admin.expect('POST', `/proxies/${proxy.id}/tools/discover`);
  await admin.expect('PUT', `/proxies/${proxy.id}/tools/bulk`, { tool_names: ['echo'], enabled: true });
}

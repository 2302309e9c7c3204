import { createManagementClient, type ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { waitFor } from '../../packages/testkit/src/wait-for.ts';

/** What the README's five minutes leave behind. */
export interface Stack {
  readonly admin: ManagementClient;
  readonly key: string;
  readonly proxy: { readonly id: number; readonly url: string };
}

interface Made {
  readonly id: number;
  readonly key: string;
}

const startMs = 180_000;

/** Follows the README through the published ports: log in, group, key, proxy with both policies, access, start, chat. */
export async function setUpStack(api: string, proxyPort: number, password: string): Promise<Stack> {
  await waitFor(() => isUp(`${api}/api/v1/health`), {
    what: 'the management API',
    timeoutMs: startMs,
    intervalMs: 500,
  });
  const admin = await createManagementClient(api, { username: 'admin', password });
  const group = await admin.expect<Made>('POST', '/user-groups', { name: 'research' });
  const { key } = await admin.expect<Made>('POST', '/api-keys', { name: 'laptop', user_group_id: group.id });
  const proxy = await admin.expect<Made>('POST', '/proxies', {
    name: 'model',
    type: 'llm',
    target: 'http://peers:8091',
    port: proxyPort,
    policy_names: ['llm-security', 'llm-secrets'],
  });
  await admin.expect('POST', `/user-groups/${group.id}/proxy-access`, {
    proxy_config_id: proxy.id,
    rate_limit: 100_000,
  });
  await admin.expect('POST', `/proxies/${proxy.id}/start`);
  await admin.expect('PUT', '/system/settings', {
    chat_webhook: {
      enabled: true,
      webhook_url: 'http://peers:8092/services/T000/B000/peer-secret',
      minimum_severity: 'Low',
    },
  });
  const url = `http://127.0.0.1:${proxyPort}`;
  await waitFor(() => isUp(`${url}/health`), { what: 'the port of the proxy', timeoutMs: 30_000, intervalMs: 200 });
  return { admin, key, proxy: { id: proxy.id, url } };
}

const isUp = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

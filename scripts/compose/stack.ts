import { createManagementClient, type ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { waitFor } from '../../packages/testkit/src/wait-for.ts';

/** What the README's five minutes leave behind. */
export interface Stack {
  /** Origin of the public port. */
  readonly api: string;
  readonly admin: ManagementClient;
  readonly key: string;
  readonly proxy: { readonly id: number; readonly url: string };
  /** Where its invocation and its tasks are. */
  readonly agent: { readonly id: number; readonly url: string };
  /** Runs as long as the faults take: each of its cases must come to a result, once. */
  readonly evaluation: { readonly id: number; readonly totalTests: number };
}

interface Made {
  readonly id: number;
  readonly key: string;
}

const startMs = 180_000;

/**
 * Follows the README through the published ports: log in, group, key, proxy with both policies, access, start, chat. Then
 * an agent and an evaluation; the hub of skills must answer too.
 */
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
    siem: {
      enabled: true,
      format: 'elastic',
      endpoint: 'http://peers:8095',
      api_key: 'peer-key',
      minimum_severity: 'Low',
    },
    llm_observability: {
      enabled: true,
      host: 'http://peers:8096',
      public_key: 'pk-lf-peer',
      secret_key: 'sk-lf-peer',
    },
  });
  const url = `http://127.0.0.1:${proxyPort}`;
  await waitFor(() => isUp(`${url}/health`), { what: 'the port of the proxy', timeoutMs: 30_000, intervalMs: 200 });
  const hasSkills = async () => (await admin.call('GET', '/security/skills/registry')).status === 200;
  await waitFor(hasSkills, { what: 'the hub of skills', timeoutMs: startMs, intervalMs: 500 });
  return {
    api,
    admin,
    key,
    proxy: { id: proxy.id, url },
    agent: await setUpAgent(api, { admin, key, groupId: group.id }),
    evaluation: await startEvaluation(admin),
  };
}

/** Two cases each seven seconds: about as long as all faults together. */
const evaluationPace = { concurrency: 2, delay_ms: 7_000 };

async function startEvaluation(admin: ManagementClient): Promise<Stack['evaluation']> {
  const base = '/security/guardrails';
  const hasWorker = async () => (await admin.call('GET', `${base}/evaluations`)).status === 200;
  await waitFor(hasWorker, { what: 'the worker of evaluations', timeoutMs: startMs, intervalMs: 500 });
  const bot = { name: 'bot', url: 'http://peers:8094', model: 'bot' };
  const endpoint = await admin.expect<{ id: number }>('POST', `${base}/endpoints`, bot);
  const { id, total_tests: totalTests } = await admin.expect<{ id: number; total_tests: number }>(
    'POST',
    `${base}/evaluations`,
    { name: 'under faults', endpoint_id: endpoint.id, ...evaluationPace },
  );
  return { id, totalTests };
}

async function setUpAgent(
  api: string,
  { admin, key, groupId }: Pick<Stack, 'admin' | 'key'> & { readonly groupId: number },
): Promise<Stack['agent']> {
  const isFound = async () => (await admin.call('GET', '/agents')).status === 200;
  await waitFor(isFound, { what: 'the hub of agents', timeoutMs: startMs, intervalMs: 500 });
  const { id } = await admin.expect<Made>('POST', '/agents', { name: 'travel agency', url: 'http://peers:8093' });
  await admin.expect('POST', `/agents/${id}/access`, { user_group_id: groupId });
  const url = `${api}/api/v1/agents/${id}`;
  const isOpen = () => isUp(`${url}/tasks`, { 'x-api-key': key });
  await waitFor(isOpen, { what: 'the access to the agent', timeoutMs: 30_000, intervalMs: 200 });
  return { id, url };
}

const isUp = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> =>
  fetch(url, { headers, signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

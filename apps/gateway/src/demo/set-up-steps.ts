import {
  createManagementClient,
  type ManagementAnswer,
  type ManagementClient,
} from '@portcullis/testkit/management-client';
import type { DemoWorld } from './demo-world.ts';
import type { Outcome, Step } from './tour.ts';

/** What the tour makes on its way, for the steps that follow. */
export interface DemoSetUp {
  /** Origin of the gateway. */
  readonly url: string;
  readonly admin: { readonly username: string; readonly password: string };
  client: ManagementClient | undefined;
  /** The gateway key, in the clear. */
  key: string;
  groupId: number;
  readonly proxyIds: { llm: number; mcp: number };
}

/** Requests a minute and key on the MCP proxy; low enough to be met. */
export const mcpRateLimit = 10;

/** Everything an admin does once, over the management API. */
export function createSetUpSteps(setUp: DemoSetUp, world: DemoWorld): readonly Step[] {
  /** Calls the API and renders its answer as an outcome. */
  const call = async (
    method: string,
    path: string,
    body: unknown,
    render: (data: Made) => string,
  ): Promise<Outcome> => {
    if (setUp.client === undefined) throw new Error('Nobody is logged in');
    const answer = await setUp.client.call<Made>(method, path, body);
    return { status: answer.status, result: answer.success ? render(answer.data) : problemOf(answer) };
  };

  const createProxy = (type: 'llm' | 'mcp', fields: Readonly<Record<string, unknown>>) => (): Promise<Outcome> =>
    call('POST', '/proxies', { type, ...fields }, (proxy) => {
      setUp.proxyIds[type] = proxy.id;
      return `port ${proxy.port} in front of ${proxy.target}`;
    });

  const grant = (type: 'llm' | 'mcp', rateLimit: number) => (): Promise<Outcome> => {
    const body = { proxy_config_id: setUp.proxyIds[type], rate_limit: rateLimit };
    return call('POST', `/user-groups/${setUp.groupId}/proxy-access`, body, () => `${rateLimit} requests a minute`);
  };

  const start = (type: 'llm' | 'mcp') => (): Promise<Outcome> =>
    call('POST', `/proxies/${setUp.proxyIds[type]}/start`, undefined, () => 'running');

  return [
    {
      what: 'Log in as the admin',
      expected: 200,
      async run() {
        setUp.client = await createManagementClient(setUp.url, setUp.admin);
        return { status: 200, result: 'a token for the management API' };
      },
    },
    {
      what: 'Create a user group',
      expected: 201,
      run: () =>
        call('POST', '/user-groups', { name: 'demo team' }, (group) => {
          setUp.groupId = group.id;
          return `"${group.name}", id ${group.id}`;
        }),
    },
    {
      what: 'Create an API key for the group',
      expected: 201,
      run: () =>
        call('POST', '/api-keys', { name: 'demo key', user_group_id: setUp.groupId }, ({ key }) => {
          setUp.key = key;
          return key;
        }),
    },
    {
      what: 'Create an LLM proxy with both built-in policies',
      expected: 201,
      run: createProxy('llm', {
        name: 'demo llm',
        target: world.llm.url,
        port: world.ports.llmProxy,
        policy_names: ['llm-security', 'llm-secrets'],
      }),
    },
    {
      what: 'Create an MCP proxy',
      expected: 201,
      run: createProxy('mcp', { name: 'demo mcp', target: world.mcp.url, port: world.ports.mcpProxy }),
    },
    {
      what: 'Find the tools of the MCP server, all hidden so far',
      expected: 200,
      run: () =>
        call('POST', `/proxies/${setUp.proxyIds.mcp}/tools/discover`, undefined, ({ tools }) =>
          tools.map(({ name }) => name).join(', '),
        ),
    },
    {
      what: 'Enable one of them',
      expected: 200,
      run: () => call('PUT', `/proxies/${setUp.proxyIds.mcp}/tools/echo`, { enabled: true }, ({ name }) => name),
    },
    { what: 'Let the group use the LLM proxy', expected: 201, run: grant('llm', 600) },
    { what: 'Let the group use the MCP proxy', expected: 201, run: grant('mcp', mcpRateLimit) },
    { what: 'Start the LLM proxy', expected: 200, run: start('llm') },
    { what: 'Start the MCP proxy', expected: 200, run: start('mcp') },
    {
      what: 'Send alerts of every severity to a chat',
      expected: 200,
      run: () =>
        call(
          'PUT',
          '/system/settings',
          { chat_webhook: { enabled: true, webhook_url: world.chat.webhookUrl, minimum_severity: 'Low' } },
          (settings) => `the webhook's URL reads back as ${settings.chat_webhook.webhook_url}`,
        ),
    },
  ];
}

/** The data of an answer, as far as the tour reads it. */
interface Made {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly port: number;
  readonly target: string;
  readonly tools: readonly { readonly name: string }[];
  readonly chat_webhook: { readonly webhook_url: string };
}

const problemOf = ({ error, message, problems = [] }: ManagementAnswer<unknown>): string =>
  [error, message, ...problems.map(({ path, rule }) => `${path} ${rule}`)].filter(Boolean).join('; ');

import { createManagementClient, type ManagementAnswer } from '@portcullis/testkit/management-client';
import type { Outcome, Step } from './tour.ts';
import type { TourState } from './tour-state.ts';

/** Requests a minute and key on the MCP proxy; low enough to be met. */
export const mcpRateLimit = 10;
const agentRateLimit = 60;

/** Everything an admin does once, over the management API. */
export const setUpSteps: readonly Step<TourState>[] = [
  {
    what: 'Log in as the admin',
    expected: 200,
    async run(state) {
      state.client = await createManagementClient(state.url, state.admin);
      return { status: 200, result: 'a token for the management API' };
    },
  },
  {
    what: 'Create a user group',
    expected: 201,
    run: (state) =>
      call(state, 'POST', '/user-groups', { name: 'demo team' }, (group) => {
        state.groupId = group.id;
        return `"${group.name}", id ${group.id}`;
      }),
  },
  {
    what: 'Create an API key for the group',
    expected: 201,
    run: (state) =>
      call(state, 'POST', '/api-keys', { name: 'demo key', user_group_id: state.groupId }, ({ key }) => {
        state.key = key;
        return key;
      }),
  },
  {
    what: 'Create an LLM proxy with both built-in policies',
    expected: 201,
    run: createProxy('llm', { name: 'demo llm', policy_names: ['llm-security', 'llm-secrets'] }),
  },
  {
    what: 'Create an MCP proxy, which has them unless it is told otherwise',
    expected: 201,
    run: createProxy('mcp', { name: 'demo mcp' }),
  },
  {
    what: 'Find the tools of the MCP server, all hidden so far',
    expected: 200,
    run: (state) =>
      call(state, 'POST', `/proxies/${state.proxyIds.mcp}/tools/discover`, undefined, ({ tools }) =>
        tools.map(({ name }) => name).join(', '),
      ),
  },
  {
    what: 'Enable one of them',
    expected: 200,
    run: (state) =>
      call(state, 'PUT', `/proxies/${state.proxyIds.mcp}/tools/echo`, { enabled: true }, ({ name }) => name),
  },
  { what: 'Let the group use the LLM proxy', expected: 201, run: grant('llm', 600) },
  { what: 'Let the group use the MCP proxy', expected: 201, run: grant('mcp', mcpRateLimit) },
  { what: 'Start the LLM proxy', expected: 200, run: start('llm') },
  { what: 'Start the MCP proxy', expected: 200, run: start('mcp') },
  {
    what: 'Register an A2A agent by its address',
    expected: 201,
    run: (state) =>
      call(state, 'POST', '/agents', { name: 'travel desk', url: state.world.agent.url }, (agent) => {
        const { name, protocol_version: version, description } = agent.agent_card;
        state.agentId = agent.id;
        return `"${name}", A2A ${version}: ${description}`;
      }),
  },
  {
    what: 'Let the group use the agent',
    expected: 200,
    run: (state) => {
      const body = { user_group_id: state.groupId, rate_limit: agentRateLimit };
      const path = `/agents/${state.agentId}/access`;
      return call(state, 'POST', path, body, () => `${agentRateLimit} invocations a minute`);
    },
  },
  {
    what: 'Send alerts of every severity to a chat',
    expected: 200,
    run: (state) =>
      call(
        state,
        'PUT',
        '/system/settings',
        { chat_webhook: { enabled: true, webhook_url: state.world.chat.webhookUrl, minimum_severity: 'Low' } },
        (settings) => `the webhook's URL reads back as ${settings.chat_webhook.webhook_url}`,
      ),
  },
];

type Run = Step<TourState>['run'];

function createProxy(type: 'llm' | 'mcp', fields: Readonly<Record<string, unknown>>): Run {
  return (state) => {
    const { ports, [type]: target } = state.world;
    const body = { type, ...fields, target: target.url, port: ports[`${type}Proxy`] };
    return call(state, 'POST', '/proxies', body, (proxy) => {
      state.proxyIds[type] = proxy.id;
      return `port ${proxy.port} in front of ${proxy.target}`;
    });
  };
}

function grant(type: 'llm' | 'mcp', rateLimit: number): Run {
  return (state) => {
    const body = { proxy_config_id: state.proxyIds[type], rate_limit: rateLimit };
    const path = `/user-groups/${state.groupId}/proxy-access`;
    return call(state, 'POST', path, body, () => `${rateLimit} requests a minute`);
  };
}

function start(type: 'llm' | 'mcp'): Run {
  return (state) => call(state, 'POST', `/proxies/${state.proxyIds[type]}/start`, undefined, () => 'running');
}

/** Calls the API and renders its answer as an outcome. */
async function call(
  { client }: TourState,
  method: string,
  path: string,
  body: unknown,
  render: (data: Made) => string,
): Promise<Outcome> {
  if (client === undefined) throw new Error('No user is logged in');
  const answer = await client.call<Made>(method, path, body);
  return { status: answer.status, result: answer.success ? render(answer.data) : problemOf(answer) };
}

/** The data of an answer, as far as the tour reads it. */
interface Made {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly port: number;
  readonly target: string;
  readonly agent_card: { readonly name: string; readonly description: string; readonly protocol_version: string };
  readonly tools: readonly { readonly name: string }[];
  readonly chat_webhook: { readonly webhook_url: string };
}

const problemOf = ({ error, message, problems = [] }: ManagementAnswer<unknown>): string =>
  [error, message, ...problems.map(({ path, rule }) => `${path} ${rule}`)].filter(Boolean).join('; ');
